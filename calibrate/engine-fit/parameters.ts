import type {EngineProfile} from '../../src/models/engines/engine.js';
import type {Figure} from '../../src/models/provenance.js';

/** One constant of an engine that a fit may move. */
export interface EngineParameter {
  readonly label: string;
  /** Seconds between which the fit keeps it. */
  readonly range: readonly [number, number];
  readonly of: (engine: EngineProfile) => Figure;
  readonly put: (engine: EngineProfile, figure: Figure) => EngineProfile;
}

function overhead(part: keyof EngineProfile['overhead'], label: string, range: readonly [number, number]): EngineParameter {
  return {
    label,
    range,
    of: (engine) => engine.overhead[part],
    put: (engine, figure) => ({...engine, overhead: {...engine.overhead, [part]: figure}}),
  };
}

/** Every constant that `calibrate fit-engine` fits, by its name. */
export const engineParameters = {
  step: overhead('step', 'host time of a step', [1e-5, 0.05]),
  sequence: overhead('sequence', 'host time of a sequence in a step', [1e-7, 1e-3]),
  request: overhead('request', 'from arrival to the queue', [1e-5, 0.1]),
  delivery: overhead('delivery', 'from a step to its clients, for each sequence', [1e-7, 1e-3]),
  launch: {
    label: 'launches and gaps of a layer',
    range: [1e-7, 1e-3],
    of: (engine) => engine.launchPerLayer,
    put: (engine, figure) => ({...engine, launchPerLayer: figure}),
  },
} as const satisfies Record<string, EngineParameter>;

export type EngineParameterName = keyof typeof engineParameters;
export const engineParameterNames = Object.keys(engineParameters) as EngineParameterName[];
