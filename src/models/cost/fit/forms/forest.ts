import {stream} from '../../../../sim/core/random.js';
import type {Fitted, Form, Sample} from '../fit.js';
import {readFields, readNumbers} from '../json.js';
import type {Kernel, KernelWork} from '../kernels/kernel.js';
import {type Range, rangeOf, readRange} from '../range.js';
import {growTree} from '../regression-tree.js';

const TREES = 30;

/** A random forest (Breiman, 2001) of log time over the logs of the shape, its FLOP and its bytes; seeded, so deterministic. */
export const forest: Form = {
  name: 'forest',
  title: 'random forest on log shape, FLOP and bytes',
  fit(kernel: Kernel, samples: readonly Sample[]): Fitted {
    const features = featuresOf(kernel);
    const rows = samples.map(({shape}) => features(shape, new Float64Array(kernel.axes.length + 2)));
    const targets = Float64Array.from(samples, ({seconds}) => Math.log(seconds));
    const random = stream(0, `fit/forest/${kernel.name}`);
    const nodes: number[] = [];
    const roots: number[] = [];
    for (let tree = 0; tree < TREES; tree++) {
      roots.push(nodes.length / WIDTH);
      const drawn = Int32Array.from(rows, () => Math.floor(random() * rows.length));
      growTree(rows, targets, drawn, random, nodes);
    }
    return fitted(kernel, roots, nodes, rangeOf(kernel, samples));
  },
  load(kernel, json): Fitted {
    const {roots, nodes, range} = readFields(kernel, json, ['roots', 'nodes', 'range']);
    return fitted(kernel, readNumbers(kernel, 'roots', roots), readNumbers(kernel, 'nodes', nodes), readRange(kernel, range));
  },
};

/** Numbers of a node: feature or −1 for a leaf, threshold or log seconds, index of the right child (the left one follows). */
const WIDTH = 3;

function fitted(kernel: Kernel, roots: readonly number[], flat: readonly number[], range: Range): Fitted {
  const nodes = Float64Array.from(flat);
  const features = featuresOf(kernel);
  const point = new Float64Array(kernel.axes.length + 2);
  return {
    form: 'forest',
    predict(shape): number {
      features(shape, point);
      let sum = 0;
      for (const root of roots) {
        let at = root * WIDTH;
        while (nodes[at] >= 0) at = (point[nodes[at]] <= nodes[at + 1] ? at / WIDTH + 1 : nodes[at + 2]) * WIDTH;
        sum += nodes[at + 1];
      }
      return Math.exp(sum / roots.length);
    },
    extrapolated: (shape) => range.outside(shape),
    parameters: {trees: roots.length, nodes: flat.length / WIDTH},
    toJson: () => ({form: 'forest/1', roots, nodes: [...flat], range: range.toJson()}),
  };
}

function featuresOf(kernel: Kernel): (shape: readonly number[], into: Float64Array) => Float64Array {
  const work: KernelWork = {flops: 0, bytes: 0};
  return (shape, into) => {
    for (let d = 0; d < shape.length; d++) into[d] = Math.log2(1 + shape[d]);
    kernel.work(shape, work);
    into[shape.length] = Math.log2(1 + work.flops);
    into[shape.length + 1] = Math.log2(1 + work.bytes);
    return into;
  };
}
