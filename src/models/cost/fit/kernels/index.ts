import {InputError} from '../../../../sim/core/errors.js';
import {lookup} from '../../../../sim/core/registry.js';
import {decodeAttention, mixedAttention, prefillAttention} from './attention.js';
import {type CollectiveOp, collective, collectiveOps} from './collective.js';
import {type ElementwiseOp, elementwise, elementwiseOps} from './elementwise.js';
import {gemm} from './gemm.js';
import type {Kernel} from './kernel.js';
import {type MemoryOp, memoryOps, memoryStream} from './memory.js';
import {mlaDecode, mlaModule, mlaPrefill} from './mla.js';
import {moe, type Routing} from './moe.js';
import {storageRequests} from './storage.js';

/** Makes a kernel from what stands behind its family's name. */
type Make = (rest: readonly string[]) => Kernel;

const attention =
  (make: (format: string, kvFormat?: string) => Kernel): Make =>
  ([format, kv]) =>
    kv === undefined ? make(format) : make(format, kv.replace(/^kv_/, ''));

const collectives = Object.fromEntries(
  collectiveOps.map((op): [CollectiveOp, Make] => [
    op,
    ([backend, gpus, perNode]) => collective({op, backend, gpus: Number.parseInt(gpus, 10), perNode: Number.parseInt(perNode, 10)}),
  ]),
);

const streams = Object.fromEntries(
  Object.keys(elementwiseOps).map((op): [string, Make] => [op, ([format]) => elementwise(op as ElementwiseOp, format)]),
);

const memoryStreams = Object.fromEntries(memoryOps.map((op): [MemoryOp, Make] => [op, () => memoryStream(op)]));

/** Families of kernels by the first words of their names. */
const families: Readonly<Record<string, Make>> = {
  gemm: ([format]) => gemm(format),
  'attn.prefill': attention(prefillAttention),
  'attn.decode': attention(decodeAttention),
  'attn.mixed': attention(mixedAttention),
  moe: ([format, routing]) => moe(format, routing as Routing),
  'mla.prefill': ([format]) => mlaPrefill(format),
  'mla.decode': ([format]) => mlaDecode(format),
  'mla_module.prefill': ([format, projections]) => mlaModule('prefill', format, projections),
  'mla_module.decode': ([format, projections]) => mlaModule('decode', format, projections),
  'storage.read': () => storageRequests('read'),
  'storage.write': () => storageRequests('write'),
  ...memoryStreams,
  ...streams,
  ...collectives,
};

/** The kernel of that name, for example `gemm.bf16`; throws InputError naming the families known. */
export function kernelNamed(name: string): Kernel {
  const words = name.split('.');
  const two = words.slice(0, 2).join('.');
  const family = Object.hasOwn(families, two) ? two : words[0];
  const kernel = lookup('kernel', families, family)(words.slice(family.split('.').length));
  if (kernel.name === name) return kernel;
  throw new InputError(`unknown kernel "${name}" (did you mean "${kernel.name}"?)`);
}
