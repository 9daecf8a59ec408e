/** Something in the input is wrong. One line per fault; the command line prints them and exits with 2. */
export class InputError extends Error {
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const list = typeof faults === 'string' ? [faults] : faults;
    super(list.join('\n'));
    this.name = 'InputError';
    this.faults = list;
  }
}

/** Nothing fits: exit 3. `message` says what is needed and offered, `nearest` what would fit. */
export class InfeasibleError extends Error {
  readonly nearest: readonly string[];

  constructor(message: string, nearest: readonly string[]) {
    super(message);
    this.name = 'InfeasibleError';
    this.nearest = nearest;
  }
}

/** Done, but a gate that was asked for is not passed: exit 4. One line per gate. */
export class GateError extends Error {
  constructor(failures: readonly string[]) {
    super(failures.join('\n'));
    this.name = 'GateError';
  }
}

/** Ended before its time, with what was asked for in part (exit 5: a budget) or not at all (exit 130: interrupted). */
export class EarlyEnd extends Error {
  readonly code: 5 | 130;

  constructor(message: string, code: 5 | 130) {
    super(message);
    this.name = 'EarlyEnd';
    this.code = code;
  }
}
