export type {RunRecord} from './sim/metrics/record.js';
export {canonicalJson} from './sim/scenario/canonical.js';
export {type LoadOptions, loadScenario} from './sim/scenario/load.js';
export {planMemory} from './sim/scenario/plan.js';
export type {ResultDocument} from './sim/scenario/result.js';
export type {MemoryPlan, Scenario} from './sim/scenario/scenario.js';
export {type SimulateOptions, simulate} from './sim/scenario/simulate.js';
export {type SummariseExtras, summarise} from './sim/scenario/summarise.js';
