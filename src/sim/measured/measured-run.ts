/** A serving run that somebody measured: what was served, what was sent, and what came out. What the file does not say is null. */
export interface MeasuredRun {
  readonly id: string;
  /** The format it was read from. */
  readonly format: string;
  /** Engine as scenario files name it, and its version when the file says one. */
  readonly engine: {readonly preset: string; readonly version: string | null; readonly stated: string};
  /** Device and model, in the words of the file. */
  readonly device: string;
  readonly model: string;
  readonly settings: MeasuredSettings;
  readonly traffic: MeasuredTraffic;
  /** Load levels, in order of time. */
  readonly stages: readonly MeasuredStage[];
  /** `client`: latencies end when the client has the token; `engine`: when the engine has it. */
  readonly observedAt: 'client' | 'engine';
}

/** What the engine was told, or what it reported. */
export interface MeasuredSettings {
  readonly tensor: number;
  readonly maxNumSeqs: number | null;
  readonly maxNumBatchedTokens: number | null;
  /** Tokens. */
  readonly maxModelLen: number | null;
  readonly gpuMemoryUtilization: number | null;
  readonly prefixCache: boolean | null;
  readonly blockSize: number | null;
  /** Blocks that the engine reports, its reserved ones among them. */
  readonly kvBlocks: number | null;
}

/** The requests that were sent. Token counts are those of the engine. */
export type MeasuredTraffic = RepeatedPrompts | RecordedRequests;

/** A fixed set of prompts, sent over and over in a fixed order, each group beginning with its own system prompt; output length is forced. */
export interface RepeatedPrompts {
  readonly kind: 'repeated-prompts';
  readonly groups: number;
  readonly promptsPerGroup: number;
  /** Tokens that the prompts of a group share. */
  readonly systemTokens: number;
  /** Tokens of a whole prompt. */
  readonly promptTokens: Spread;
  readonly outputTokens: number;
}

/** Every request as it was sent, in order of arrival. */
export interface RecordedRequests {
  readonly kind: 'recorded';
  readonly requests: readonly RecordedRequest[];
  /** Tokens a block of `ids`; 0 when no ids are known. */
  readonly blockTokens: number;
}

export interface RecordedRequest {
  /** Seconds from the first arrival. */
  readonly arrival: number;
  readonly input: number;
  readonly output: number;
  /** Ids of the prompt's whole blocks, equal for equal prefixes, as runs of [first, count]. */
  readonly ids: readonly (readonly [number, number])[];
  /** Seconds from arrival. */
  readonly ttft: number;
  readonly e2e: number;
}

/** One load level and the latencies measured at it, seconds. */
export interface MeasuredStage {
  readonly name: string;
  /** Requests per second, at equal gaps; null when the traffic says when each request came. */
  readonly rate: number | null;
  readonly requests: number;
  readonly ttft: Spread;
  /** (E2E − TTFT) / (output − 1). Only the mean is known when the file has no requests. */
  readonly tpot: Pick<Spread, 'mean'> & Partial<Spread>;
  readonly e2e: Spread;
  /** Why means are no measure of this stage, e.g. a start-up transient; null when they are. */
  readonly mediansOnly: string | null;
}

/** Mean and quantiles as a benchmark prints them; `points` are [share, value] in rising order, ends included. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly points: readonly (readonly [number, number])[];
}

/** The value at a share of a spread, linear between the quantiles that are known. */
export function spreadAt({points}: Spread, share: number): number {
  const next = points.findIndex(([p]) => p >= share);
  if (next <= 0) return points[next < 0 ? points.length - 1 : 0][1];
  const [p0, v0] = points[next - 1];
  const [p1, v1] = points[next];
  return v0 + ((share - p0) / (p1 - p0)) * (v1 - v0);
}
