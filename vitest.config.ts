import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Two files at once on two cores, too: many tests wait for other processes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests that spawn the command line, a browser or npm wait for other processes on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
