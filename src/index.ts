export type {Scenario} from './sim/scenario/scenario.js';
