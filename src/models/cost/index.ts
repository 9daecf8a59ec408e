export {constant} from './constant.js';
export {describeStep, type StepItem} from './describe.js';
export {type RooflineOptions, roofline} from './roofline.js';
export {StepCost, type StepOptions, stepCost} from './step-cost.js';
export {type StepTerm, stepTerms} from './terms.js';
