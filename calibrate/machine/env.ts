import {readdirSync, readFileSync} from 'node:fs';

/** A process that used the processor while we watched. */
export interface BusyProcess {
  readonly name: string;
  /** Processors that it used, on average. */
  readonly processors: number;
}

/** Seconds of processor time by process, at one moment; empty where there is no /proc. */
export type ProcessTimes = ReadonlyMap<number, {readonly name: string; readonly seconds: number}>;

/** Clock ticks a second of /proc/<pid>/stat on every Linux that Node runs on. */
const TICKS = 100;

export function processTimes(): ProcessTimes {
  const times = new Map<number, {name: string; seconds: number}>();
  for (const entry of entriesOf('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      // The name stands in brackets and may itself hold some.
      const end = stat.lastIndexOf(')');
      const fields = stat.slice(end + 2).split(' ');
      times.set(Number(entry), {name: stat.slice(stat.indexOf('(') + 1, end), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS});
    } catch {
      // It ended while we looked.
    }
  }
  return times;
}

/** Processes that used more than a tenth of a processor between two moments, busiest first; `own` are not among them. */
export function busyProcesses(before: ProcessTimes, after: ProcessTimes, seconds: number, own: ReadonlySet<string>): BusyProcess[] {
  const found: BusyProcess[] = [];
  for (const [pid, {name, seconds: used}] of after) {
    const processors = (used - (before.get(pid)?.seconds ?? 0)) / seconds;
    if (processors > 0.1 && !own.has(name)) found.push({name, processors});
  }
  return found.sort((a, b) => b.processors - a.processors);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
