import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests that spawn the command line, a browser or npm wait for other processes on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
