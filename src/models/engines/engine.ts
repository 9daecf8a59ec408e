import type {Figure} from '../provenance.js';

/** The devices of one replica, as far as an engine's defaults depend on them. */
export interface Placement {
  /** Of one device, bytes. */
  readonly memoryBytes: number;
  readonly id: string;
  /** Devices that share every matrix. */
  readonly tensor: number;
}

/** How an inference engine schedules and what it costs beside the kernels; one version of one engine. */
export interface EngineProfile {
  readonly preset: string;
  readonly version: string;
  /** `mixed`: decodes, and prompts in what they leave of a step's budget; `prefill-first`: prompts alone while there are any. */
  readonly steps: 'mixed' | 'prefill-first';
  /** When the blocks of a prompt can be hit by others: once their step is planned, once it has ended, or once the request has, and then by one request at a time (a slot that is taken over). */
  readonly publishes: 'plan' | 'step' | 'end';
  /** What happens when KV runs out, if the scenario does not say. */
  readonly preemption: 'recompute' | 'retract' | 'none';
  /** Steps that may be planned before the first of them completes (asynchronous scheduling: 2). */
  readonly inFlight: number;
  /** Host time. With one step in flight it adds to the step; with two it hides behind the device's time. */
  readonly overhead: {
    readonly step: Figure;
    readonly sequence: Figure;
    /** Once a request, before it can be scheduled (receive, tokenise, hash): adds to TTFT. */
    readonly request: Figure;
    /** For each sequence of a step, from the step's end until the clients have its tokens (detokenise, send): adds to TTFT and E2E, and hides behind the next step. */
    readonly delivery: Figure;
  };
  /** Kernel launches and gaps, seconds per layer and step, when no kernel of the layer was measured: a measured one has its launch in its time. */
  readonly launchPerLayer: Figure;
  /** CUDA graphs, or null when the engine launches every kernel for free. */
  readonly graphs: {
    /** Tokens of the captured steps, rising: a smaller step is padded to the next of them, a larger one is launched kernel by kernel. */
    readonly sizes: readonly number[];
    /** Seconds that the host takes to launch the kernels of one layer; the device waits when it computes faster. */
    readonly eagerLaunchPerLayer: Figure;
  } | null;
  /** Fixed memory of a device that is neither weights, activations nor KV, bytes. */
  readonly reserve: {readonly context: Figure; readonly graphs: Figure};
  readonly gpuMemoryUtilization: Figure;
  /** What that is a share of: all that the engine uses of a device's memory, or, of what is free before weights are loaded, weights and KV alone, so that activations and graphs lie in the rest. Default: all. */
  readonly utilizationOf?: 'all' | 'weights-and-kv';
  readonly blockSize: number;
  /** What of a block lies side by side on a device, so that it is copied as one piece: all of it, or each layer's keys and values apart. Default: all. */
  readonly copyPieces?: 'block' | 'layer';
  /** What is written below HBM when it is computed: prompts, and generated blocks once they are part of one; or both at once. Default: both. */
  readonly offloads?: 'prompt' | 'all';
  /** Whether a prompt is computed beside the load of its prefix, layer by layer. Default: after it. */
  readonly overlap?: 'none' | 'layer';
  /** Whether KV for the longest context, or for one of each sequence, is allocated at start, and what is left stays free. Default: KV gets all that is left. */
  readonly kvUpFront?: boolean;
  /** Blocks the engine keeps for itself (vLLM's null block). */
  readonly reservedBlocks: number;
  /** Tokens a step and sequences, when the scenario does not say: by the device's memory. */
  readonly limits: (on: Placement) => {
    readonly maxNumBatchedTokens: number;
    readonly maxNumSeqs: number;
  };
  /** What else of the profile follows from the devices and from the most tokens of a step. Default: nothing. */
  readonly placed?: (on: Placement, maxNumBatchedTokens: number) => Pick<EngineProfile, 'gpuMemoryUtilization' | 'graphs'>;
  /** Whether one prompt of the largest length must fit, or the engine refuses to start. */
  readonly needsFullContext: boolean;
  /** Whether peaks are reached in full: `ideal` only. */
  readonly ideal: boolean;
  readonly source: string;
}
