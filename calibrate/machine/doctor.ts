import {spawnSync} from 'node:child_process';
import {loadavg} from 'node:os';
import {findPeer} from '../llama/session.js';
import type {Native} from './native.js';

/** One part of measuring: whether it works here, and what it is or why not. */
export interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly text: string;
}

/** Devices that calib-bench may know; a build without one says so itself. */
const devices = ['cpu', 'storage', 'cuda:0', 'metal'];

/** Looks at the programs, each device, and the load. */
export function diagnose({bench, missing}: Native): Finding[] {
  const found: Finding[] = [
    {part: 'calib-bench', ok: missing.bench === null, text: missing.bench ?? 'built'},
    {part: 'addon', ok: missing.addon === null, text: missing.addon ?? 'built'},
  ];
  if (missing.bench === null) for (const device of devices) found.push(deviceFinding(bench, device));
  found.push(peerFinding());
  const [load] = loadavg();
  found.push({
    part: 'load',
    ok: load < 0.5,
    text: load < 0.5 ? `${load.toFixed(1)}: quiet` : `${load.toFixed(1)}: others are running; the profile's grade will suffer`,
  });
  return found;
}

/** Opening a device measures nothing: it lists its points. */
function deviceFinding(bench: string, device: string): Finding {
  const {stdout, status, signal} = spawnSync(bench, ['--device', device, '--plan', 'full', '--list'], {encoding: 'utf8'});
  const lines = (stdout ?? '').split('\n').filter((line) => line !== '');
  if (signal !== null || lines.length === 0) return {part: device, ok: false, text: `calib-bench ended with ${signal ?? status}`};
  const {kind, code, message} = JSON.parse(lines[0]) as Record<string, string>;
  return kind === 'error'
    ? {part: device, ok: false, text: `${code}: ${message}`}
    : {part: device, ok: true, text: `${lines.length} points in the full plan`};
}

/** The peer that `--engine llama.cpp` needs. */
function peerFinding(): Finding {
  const part = 'llama.cpp';
  try {
    return {part, ok: true, text: `node-llama-cpp ${findPeer(undefined).version}`};
  } catch (error) {
    return {part, ok: false, text: (error as Error).message.replace(/^llama\.cpp: /, '')};
  }
}
