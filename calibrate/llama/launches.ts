import {workOf} from '../../src/models/cost/work.js';
import type {Device} from '../../src/models/devices/device.js';
import {kvFormat} from '../../src/models/llms/index.js';
import type {Point} from './session.js';
import {type LlamaShape, llmOf} from './shape.js';

/** A kernel at one shape, `count` times in a step. */
export interface Launch {
  readonly kernel: string;
  readonly shape: readonly number[];
  readonly count: number;
}

/** Kernels that stream activations, as llama.cpp runs them: each is a node of its graph. */
export const streamKernels = ['add_rmsnorm.fp16', 'rope.fp16', 'silu_mul.fp16', 'embedding.fp16'] as const;

/**
 * What llama.cpp launches in one step, in the kernels that the simulator's cost of a step asks for.
 *
 * In the last layer it computes the feed-forward only for the rows that emit (llama.cpp, build of `llama`: rows are picked after the attention).
 */
export function launchesOf(shape: LlamaShape, {batch, tokens, depth}: Point, device: Device): Launch[] {
  const llm = llmOf(shape);
  const work = workOf(llm, device, {tensor: 1, kvFormat: kvFormat('fp16', llm), activationType: 'fp16'});
  const rows = batch * tokens;
  const product = `gemm.${shape.format}`;
  const matrices = work.matrices.flatMap(({name, count, inputs, outputs}) => {
    const at = (m: number, times: number): Launch => ({kernel: product, shape: [m, outputs, inputs], count: times});
    return name.startsWith('mlp') ? [at(rows, count - 1), at(batch, 1)] : [at(rows, count)];
  });
  const heads = [shape.heads, shape.kvHeads, shape.headDim, 0];
  const attention: Launch =
    tokens === 1
      ? {kernel: 'attn.decode.fp16', shape: [batch, depth + 1, ...heads], count: shape.layers}
      : {kernel: 'attn.prefill.fp16', shape: [batch, tokens, depth, ...heads], count: shape.layers};
  const streams = work.streams
    .map(({op, width, count}): Launch => ({kernel: `${op}.fp16`, shape: [rows, width], count}))
    .filter(({kernel}) => (streamKernels as readonly string[]).includes(kernel));
  const head: Launch = {kernel: product, shape: [batch, work.head.outputs, work.head.inputs], count: 1};
  return [...matrices, attention, ...streams, head].filter(({count}) => count > 0);
}
