// Compiles calib-bench and the addon with the system's C++ compiler: no Python, no make, no network. Never fails: what cannot be built is said, and why.
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {availableParallelism} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {cudaImage} from './cuda-image.mjs';
import {headers, root, sharedSources} from './sources.mjs';

const run = promisify(execFile);
const isMac = process.platform === 'darwin';

/** Where what was built lies; it may not be there. */
export const built = {bench: join(root, 'build/Release/calib-bench'), addon: join(root, 'build/Release/calib.node')};

const flags = [
  '-std=c++17',
  '-O3',
  '-ffp-contract=fast',
  '-fno-math-errno',
  '-fPIC',
  '-pthread',
  '-fvisibility=hidden',
  '-Wall',
  '-Wno-psabi',
  '-Wno-unused-function',
];
const libraries = isMac ? ['-framework', 'Foundation', '-framework', 'Metal', '-framework', 'MetalPerformanceShaders'] : ['-ldl'];

/** Builds what is missing or older than its sources. Returns a reason for each of the two that could not be built, else null. */
export async function build() {
  if (process.platform !== 'linux' && !isMac) return both(`the kernels are written for Linux and macOS, not for ${process.platform}`);
  const compiler = await findCompiler();
  if (compiler === null)
    return both('no C++ compiler was found (c++, g++ or clang++; CXX names another); install one and run `node native/install.mjs`');
  try {
    mkdirSync(join(root, 'build/obj'), {recursive: true});
    mkdirSync(dirname(built.bench), {recursive: true});
  } catch (error) {
    return both(`${join(root, 'build')} cannot be written: ${error.message}`);
  }
  try {
    const shared = await sharedObjects(compiler);
    return {bench: await tried(() => bench(compiler, shared)), addon: await tried(() => addon(compiler, shared))};
  } catch (error) {
    return both(lastLines(error));
  }
}

/** What both targets share. The image of the CUDA kernels is made at the same time, and set into an object of its own. */
async function sharedObjects(compiler) {
  const sources = sharedSources();
  const withImage = sources.filter((source) => source.endsWith('.S'));
  const objects = await Promise.all([
    compileAll(
      compiler,
      sources.filter((source) => !withImage.includes(source)),
    ),
    withImage.length === 0 ? [] : embedImage(compiler, withImage),
  ]);
  return objects.flat();
}

async function embedImage(compiler, sources) {
  const {path} = await cudaImage(join(root, 'build'));
  return compileAll(compiler, sources, [`-DCALIB_CUDA_IMAGE="${path}"`], statSync(path).mtimeMs);
}

const both = (reason) => ({bench: reason, addon: reason});

async function tried(make) {
  try {
    return (await make()) ?? null;
  } catch (error) {
    return lastLines(error);
  }
}

function lastLines(error) {
  const text = String(error.stderr || error.message).trim();
  return `compiling failed: ${
    text
      .split('\n')
      .filter((line) => /error|fatal|undefined/.test(line))
      .slice(0, 3)
      .join(' · ') || text.slice(-300)
  }`;
}

async function findCompiler() {
  for (const name of [process.env.CXX, 'c++', 'g++', 'clang++'].filter(Boolean)) {
    try {
      await run(name, ['--version']);
      return name;
    } catch {
      // The next one, then.
    }
  }
  return null;
}

/** Compiles what is older than its source, a header, the flags or `since` (ms); returns the object files. */
async function compileAll(compiler, sources, extra = [], since = 0) {
  const newest = Math.max(since, ...headers().map((file) => statSync(join(root, file)).mtimeMs));
  const objects = sources.map((source) => join(root, 'build/obj', `${source.replace(/[/\\]/g, '-')}.o`));
  const jobs = sources.map((source, i) => async () => {
    const [command, object] = [[compiler, ...flags, ...extra].join(' '), objects[i]];
    const stamp = `${object}.command`;
    const fresh = existsSync(object) && existsSync(stamp) && readFileSync(stamp, 'utf8') === command;
    if (fresh && statSync(object).mtimeMs > Math.max(newest, statSync(join(root, source)).mtimeMs)) return;
    // Beside its place first: two builds at once leave whole files.
    await run(compiler, [...flags, ...extra, '-c', join(root, source), '-o', `${object}.${process.pid}`]);
    renameSync(`${object}.${process.pid}`, object);
    writeFileSync(stamp, command);
  });
  await allOf(jobs, availableParallelism());
  return objects;
}

async function allOf(jobs, atOnce) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
  };
  await Promise.all(Array.from({length: atOnce}, worker));
}

async function link(compiler, options, objects, target) {
  if (existsSync(target) && objects.every((object) => statSync(object).mtimeMs < statSync(target).mtimeMs)) return;
  const half = `${target}.${process.pid}`;
  try {
    await run(compiler, ['-pthread', ...options, ...objects, ...libraries, '-o', half]);
    renameSync(half, target);
  } finally {
    rmSync(half, {force: true});
  }
}

async function bench(compiler, shared) {
  await link(compiler, [], [...shared, ...(await compileAll(compiler, ['src/main.cc']))], built.bench);
}

/** The headers are optional dependencies: without them calib-bench still does all the measuring. */
async function addon(compiler, shared) {
  const require = createRequire(import.meta.url);
  const include = [];
  for (const [name, folder] of [
    ['node-addon-api', ''],
    ['node-api-headers', 'include'],
  ]) {
    try {
      include.push(`-I${join(dirname(require.resolve(`${name}/package.json`)), folder)}`);
    } catch {
      return `the package ${name} is not installed: the addon needs its headers`;
    }
  }
  const object = await compileAll(compiler, ['src/addon.cc'], [...include, '-DNAPI_VERSION=8', '-DNODE_ADDON_API_CPP_EXCEPTIONS']);
  await link(compiler, isMac ? ['-bundle', '-undefined', 'dynamic_lookup'] : ['-shared'], [...shared, ...object], built.addon);
  return null;
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === 'install.mjs' && process.argv[1] === fileURLToPath(import.meta.url)) {
  const reasons = await build();
  for (const [name, reason] of Object.entries(reasons)) {
    const what = name === 'bench' ? 'calib-bench' : 'calib.node';
    process.stdout.write(reason === null ? `native: ${what} is built\n` : `native: ${what} skipped: ${reason}\n`);
  }
}
