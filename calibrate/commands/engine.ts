import {cpus, loadavg, totalmem} from 'node:os';
import {EarlyEnd, GateError, InputError} from '../../src/sim/core/errors.js';
import {lookup} from '../../src/sim/core/registry.js';
import {type TensorFormatName, tensorFormats} from '../llama/formats.js';
import {type MeasuredPlan, measurePlan, noiseOfSteps} from '../llama/measure.js';
import {calibrationPlan, validationPlan} from '../llama/plan.js';
import {deviceOf, type EngineMachine, engineProfileFiles} from '../llama/profile.js';
import {type EngineDevice, engineDevices, findPeer, LlamaSession} from '../llama/session.js';
import {SyntheticFiles} from '../llama/temporary.js';
import {engineLines, validationLines} from '../llama/text.js';
import {fittedEngine, MOST_ERROR, meanError, validationRows} from '../llama/validate.js';
import {CalibrationLine} from '../machine/progress-line.js';
import {profileId, profileText} from '../profile.js';
import {writeWhole} from '../write.js';

/** What `tiercast calibrate --engine` takes. */
export interface EngineArguments {
  readonly engine: string;
  readonly enginePath: string | undefined;
  readonly quantization: string;
  readonly threads: number;
  readonly validate: boolean;
  readonly device: string;
  readonly folder: string | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Engines whose own kernels can be measured. */
const engines = {'llama.cpp': true} as const;

/** Measures an engine's own kernels with synthetic models, and writes a device profile and an engine profile. */
export async function calibrateEngine(args: EngineArguments): Promise<void> {
  lookup('engine to calibrate', engines, args.engine);
  const formats = args.quantization.split(',').map((name) => {
    lookup('quantization', tensorFormats, name);
    return name as TensorFormatName;
  });
  const device = args.device.split(':')[0] as EngineDevice;
  if (!engineDevices.includes(device)) throw new InputError(`--device: "${args.device}" is none of ${engineDevices.join(', ')}`);
  const peer = findPeer(args.enginePath);
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const line = new CalibrationLine(!args.quiet && process.stderr.isTTY === true);
  const files = new SyntheticFiles(args.folder);
  let session: LlamaSession | null = null;
  try {
    const started = await LlamaSession.start(peer, device, args.threads, abort.signal);
    session = started.session;
    const machine: EngineMachine = {cpu: cpus()[0]?.model ?? 'CPU', memory: totalmem(), ready: started.ready, peer: peer.version};
    const measure = (what: string, plan: ReturnType<typeof calibrationPlan>): Promise<MeasuredPlan> => {
      const of = plan.reduce((sum, {points}) => sum + points.length, 0);
      return measurePlan(plan, started.session, files, (done) => line.draw(what, {done, of}));
    };
    const measured = await measure('llama.cpp', calibrationPlan(formats));
    line.clear();
    const out = args.out ?? `./${device}.llama.cpp.profile.json`;
    const made = engineProfileFiles(profileId(out), measured, machine, new Date().toISOString().slice(0, 10));
    const say = args.json ? process.stderr : process.stdout;
    say.write(`${engineLines(made).join('\n')}\n`);
    if (args.validate) {
      const steps = await measure('validate', validationPlan(formats));
      line.clear();
      const rows = validationRows(steps.steps, deviceOf(profileId(out), made, machine), fittedEngine(made.fit));
      say.write(`\n${validationLines(rows, made.grade).join('\n')}\n`);
      const {clean, drift} = noiseOfSteps(steps);
      say.write(
        `validation: ${(100 * clean).toFixed(0)} % clean samples, drift ${(100 * drift).toFixed(0)} %, load ${loadavg()[0].toFixed(1)}\n`,
      );
      if ((made.grade === 'A' || made.grade === 'B') && meanError(rows) > MOST_ERROR)
        throw new GateError([`mean error ${(100 * meanError(rows)).toFixed(1)} % is above ${100 * MOST_ERROR} %`]);
      return;
    }
    if ((made.contended || made.grade === 'D') && !args.force)
      throw new GateError([
        `REJECTED: grade ${made.grade}: ${made.reasons[0]}, load ${loadavg()[0].toFixed(1)}. --force writes it as it is`,
      ]);
    const enginePath = out.replace(/(\.profile)?\.json$/, '.engine.json');
    writeWhole(out, profileText(made.device));
    writeWhole(enginePath, `${JSON.stringify(made.engine, null, 1)}\n`);
    if (args.json) process.stdout.write(profileText(made.device));
    process.stderr.write(
      `wrote ${out} and ${enginePath}   use them: hardware: {device: ${out}}, engine: {preset: llama.cpp, profile: ${enginePath}}\n`,
    );
  } catch (error) {
    line.clear();
    if (abort.signal.aborted) throw new EarlyEnd('stopped: no profile was written', 130);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    session?.stop();
    files.remove();
  }
}
