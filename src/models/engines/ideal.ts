import type {Figure} from '../provenance.js';
import type {EngineProfile} from './engine.js';

/** An engine without overhead on a device that reaches its peaks: the roofline that no real engine passes. */
export function ideal(version: string): EngineProfile {
  return {
    preset: 'ideal',
    version,
    steps: 'mixed',
    publishes: 'plan',
    preemption: 'recompute',
    inFlight: 1,
    overhead: {step: none(), sequence: none(), request: none(), delivery: none()},
    launchPerLayer: none(),
    graphs: null,
    reserve: {context: none(), graphs: none()},
    gpuMemoryUtilization: {...none(), value: 1},
    blockSize: 16,
    reservedBlocks: 0,
    limits: () => ({maxNumBatchedTokens: 8192, maxNumSeqs: 1024}),
    needsFullContext: false,
    ideal: true,
    source: 'by definition',
  };
}

function none(): Figure {
  return {value: 0, grade: 'assumed', source: 'by definition of the ideal engine'};
}
