/** The version of tiercast, as in package.json (a test compares them): part of every result, so it must not come from a file. */
export const version = '0.1.0';
