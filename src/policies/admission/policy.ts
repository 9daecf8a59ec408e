/** What an admission policy may see of HBM, in blocks. */
export interface KvUse {
  readonly held: number;
  readonly capacity: number;
}

/**
 * How many more blocks may be held after a request is admitted, at most; what is free bounds it anyway, and a request that finds the replica empty is always admitted.
 *
 * While requests only decode, the answer must not rise.
 */
export type AdmissionPolicy = (use: KvUse) => number;

/** An admission policy as the registry has it. */
export interface AdmissionEntry {
  /** One line for `tiercast list policies`. */
  readonly about: string;
  /** Its one parameter, when it has one; no source has its default. */
  readonly parameter: {readonly name: string; readonly default: number; readonly about: string} | null;
  readonly create: (value: number) => AdmissionPolicy;
}
