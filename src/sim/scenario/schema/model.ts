import {tensorClasses} from '../../../models/llms/llm.js';
import {group} from './node.js';
import {name, text} from './values.js';

const formats = 'format: bf16, fp8, int8, int4, nvfp4, mxfp4, or a GGUF type such as Q4_K';

/** Keys about the language model. */
export const model = group(
  'the language model',
  {
    name: text('built-in name, config.json, or a folder that holds one; shape is data', {
      says: 'required',
      listing: 'models',
      type: 'name or path',
    }),
    quantization: group(
      `bytes per parameter, of all classes or by class`,
      {
        default: text(`${formats}; of every class that is not named`),
        ...Object.fromEntries(tensorClasses.map((tensorClass) => [tensorClass, text(`format of ${tensorClass.replace('_', ' ')}`)])),
      },
      {says: "from the model's file, else bf16", short: {key: () => 'default', cited: 'as-written'}},
    ),
    activation_dtype: name('dtype', ['bf16', 'fp16', 'fp32'], 'picks the compute peak', {default: 'bf16'}),
  },
  {short: {key: () => 'name'}},
);
