import {closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, writeSync} from 'node:fs';
import {freemem, tmpdir} from 'node:os';
import {join} from 'node:path';
import {InputError} from '../../src/sim/core/errors.js';
import {randomBlocks} from './formats.js';
import {type GgufTensor, ggufLayout} from './gguf.js';
import {type LlamaShape, shapeName} from './shape.js';

/** Bytes that stay free on the disk, and that are written in one run at most. */
const KEPT_FREE = 5e9;
const MOST_WRITTEN = 2 * 2 ** 30;
/** Share of the free memory that a model may take. */
const MEMORY_SHARE = 0.25;
const PREFIX = 'tiercast-llama-';

/** A folder of synthetic files that is gone when the process is. */
export class SyntheticFiles {
  readonly folder: string;
  #written = 0;
  #count = 0;
  readonly #remove = () => this.remove();

  /** Makes the folder below `parent`, and removes those that killed processes left. Throws InputError when it cannot be made. */
  constructor(parent: string = tmpdir()) {
    removeOrphans(parent);
    try {
      this.folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    } catch (error) {
      throw new InputError(`${parent}: no folder for synthetic models can be made there: ${(error as Error).message}; use --folder`);
    }
    process.on('exit', this.#remove);
  }

  /** Writes a model with random weights. Throws InputError when disk or memory are too small for it. */
  write(shape: LlamaShape, seed: number): string {
    const {header, tensors, bytes} = ggufLayout(shape);
    this.#check(shape, bytes);
    this.#written += bytes;
    const path = join(this.folder, `${this.#count++}.gguf`);
    const file = openSync(path, 'wx', 0o600);
    try {
      const blocks = randomBlocks(shape.format, seed);
      writeAll(file, header);
      for (const tensor of tensors) writeTensor(file, tensor, blocks);
    } catch (error) {
      rmSync(path, {force: true});
      throw new InputError(`${path} cannot be written: ${(error as Error).message}; use --folder`);
    } finally {
      closeSync(file);
    }
    return path;
  }

  /** Removes a model that has been loaded: where a file that is in use cannot go, it goes with the folder. */
  drop(path: string): void {
    try {
      rmSync(path);
    } catch {
      // Windows keeps a mapped file; the next model gets another name.
    }
  }

  /** Removes the folder and what is in it. */
  remove(): void {
    process.off('exit', this.#remove);
    rmSync(this.folder, {recursive: true, force: true});
  }

  #check(shape: LlamaShape, bytes: number): void {
    const {bavail, bsize} = statfsSync(this.folder);
    const free = bavail * bsize;
    const gigabytes = (value: number) => `${(value / 1e9).toFixed(1)} GB`;
    if (free - bytes < KEPT_FREE)
      throw new InputError(
        `${this.folder}: ${gigabytes(free)} are free, ${shapeName(shape)} takes ${gigabytes(bytes)} and ${gigabytes(KEPT_FREE)} stay free; use --folder`,
      );
    if (this.#written + bytes > MOST_WRITTEN)
      throw new InputError(
        `${shapeName(shape)}: one run writes ${gigabytes(MOST_WRITTEN)} at most, ${gigabytes(this.#written)} are written`,
      );
    if (bytes > MEMORY_SHARE * freemem())
      throw new InputError(
        `${shapeName(shape)}: takes ${gigabytes(bytes)}, more than a quarter of the ${gigabytes(freemem())} of free memory`,
      );
  }
}

function writeTensor(file: number, {format, bytes}: GgufTensor, blocks: Uint8Array): void {
  if (format === 'fp32') {
    writeAll(file, new Uint8Array(new Float32Array(bytes / 4).fill(1).buffer));
  } else {
    for (let left = bytes; left > 0; left -= blocks.length) writeAll(file, left < blocks.length ? blocks.subarray(0, left) : blocks);
  }
  writeAll(file, new Uint8Array((32 - (bytes % 32)) % 32));
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** A killed process leaves its folder; its name says whose it was. */
function removeOrphans(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), {recursive: true, force: true});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as {code?: string}).code === 'EPERM';
  }
}
