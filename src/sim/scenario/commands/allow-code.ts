/** The option that lets a scenario run programs: its policies from files. */
export const allowCode = {
  type: 'boolean',
  default: false,
  describe: 'let policies that the scenario names by a file (./FILE.mjs) run; a file is never run without it',
} as const;
