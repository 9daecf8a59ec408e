// Runs an engine's own kernels in a process of its own, so that one that crashes is a message. Reads requests and writes answers as JSON Lines.
import {readdirSync, readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const [entry, gpu, threadsWanted] = process.argv.slice(2);
// A step of a model that is larger than the caches reads its weights from memory: so must one of a small model.
const MOST_FLUSHED = 2 ** 29;
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

/** Nanoseconds that threads of this process were ready and had no processor; null where the system does not say. */
function waited() {
  try {
    let sum = 0;
    for (const thread of readdirSync('/proc/self/task'))
      sum += Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
    return sum;
  } catch {
    return null;
  }
}

/** Bytes of the last cache; 64 MiB where the system does not say. */
function cacheBytes() {
  try {
    return 1024 * Number.parseInt(readFileSync('/sys/devices/system/cpu/cpu0/cache/index3/size', 'utf8'), 10);
  } catch {
    return 2 ** 26;
  }
}

const flushed = new Float64Array(Math.min(MOST_FLUSHED, Math.round(1.1 * cacheBytes())) / 8).fill(1);

/** Takes the caches by reading a line of each 64 bytes. */
function flush() {
  let sum = 0;
  for (let i = 0; i < flushed.length; i += 8) sum += flushed[i];
  return sum;
}

/** The evaluations of one model: each sequence is taken to its depth once, and back to it after every sample. */
class Loaded {
  constructor(model, context, threads) {
    this.model = model;
    this.context = context;
    this.threads = threads;
    this.sequences = [];
    this.next = 300;
  }

  tokens(count) {
    // Any tokens but the first 259, which are bytes and controls.
    return Array.from({length: count}, () => {
      this.next = 300 + (((this.next - 300) * 5 + 7) % (this.vocab - 300));
      return this.next;
    });
  }

  get vocab() {
    return this.model.fileInsights.totalVocab ?? this.model.vocabSize ?? 512;
  }

  async at(batch, depth) {
    while (this.sequences.length < batch) this.sequences.push(this.context.getSequence());
    for (const sequence of this.sequences.slice(0, batch)) {
      if (sequence.nextTokenIndex > depth) await sequence.eraseContextTokenRanges([{start: depth, end: sequence.nextTokenIndex}]);
      const missing = depth - sequence.nextTokenIndex;
      if (missing > 0) await sequence.evaluateWithoutGeneratingNewTokens(this.tokens(missing));
    }
  }

  /** One step: `batch` sequences take `tokens` tokens each behind `depth`, and each has its next token chosen. */
  async sample({batch, tokens, depth, cold}) {
    await this.at(batch, depth);
    const inputs = this.sequences.slice(0, batch).map((sequence) => [sequence, this.tokens(tokens)]);
    if (cold && flush() < 0) throw new Error('never: all are 1');
    const [before, began] = [waited(), performance.now()];
    await Promise.all(
      inputs.map(([sequence, all]) => {
        const last = [all.at(-1), {generateNext: {token: true, options: {temperature: 0}}}];
        return sequence.controlledEvaluate([...all.slice(0, -1), last]);
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    const after = waited();
    return {seconds, lost: before === null || after === null ? null : (after - before) / 1e9 / seconds / this.threads};
  }
}

async function main() {
  const {getLlama, LlamaLogLevel} = await import(pathToFileURL(entry).href);
  const llama = await getLlama({gpu: gpu === 'false' ? false : gpu, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false});
  const threads = llama.gpu === false ? Number(threadsWanted) || Math.min(availableParallelism(), llama.cpuMathCores) : 1;
  const devices = llama.gpu === false ? [] : await llama.getGpuDeviceNames();
  const vram = llama.gpu === false ? null : await llama.getVramState();
  say({
    kind: 'ready',
    gpu: llama.gpu,
    release: `${llama.llamaCppRelease?.release ?? 'unknown'}`,
    system: llama.systemInfo,
    threads,
    devices,
    vram,
  });
  let loaded = null;
  for await (const line of createInterface({input: process.stdin})) {
    const request = JSON.parse(line);
    if (request.kind === 'load') {
      const model = await llama.loadModel({
        modelPath: request.path,
        gpuLayers: llama.gpu === false ? 0 : 'max',
        ignoreMemorySafetyChecks: true,
      });
      const context = await model.createContext({
        sequences: request.sequences,
        contextSize: request.context,
        batchSize: request.tokens,
        flashAttention: request.flash,
        threads: llama.gpu === false ? threads : undefined,
        ignoreMemorySafetyChecks: true,
      });
      loaded = new Loaded(model, context, threads);
      say({kind: 'loaded'});
    } else if (request.kind === 'sample') {
      say({kind: 'sampled', ...(await loaded.sample(request.point))});
    } else if (request.kind === 'unload') {
      await loaded.context.dispose();
      await loaded.model.dispose();
      loaded = null;
      say({kind: 'unloaded'});
    }
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    say({kind: 'error', message: String(error?.message ?? error)});
    process.exit(1);
  },
);
