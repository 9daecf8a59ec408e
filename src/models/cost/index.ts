export {constant} from './constant.js';
export {describeStep, type StepItem} from './describe.js';
export {Roofline, type RooflineOptions, roofline, rooflineTerms} from './roofline.js';
export {checkTensor} from './work.js';
