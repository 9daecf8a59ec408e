import type {Arrivals, Distribution, StreamConfig, Traffic, WorkloadConfig} from '../workload.js';
import type {Fit} from './fit.js';

/** Files that state a fitted workload. */
export interface FitFiles {
  /** A scenario that runs: the fitted workload on a model and device to be replaced. */
  readonly yaml: string;
  /** The quantiles that it names, a column each; null when all its quantities are constant. */
  readonly csv: string | null;
}

/** Writes a fitted workload as a scenario, with `lines` as its head comment and its quantiles in a CSV file called `columns` beside it. */
export function fitFiles(fit: Fit, seed: number, columns: string, lines: readonly string[]): FitFiles {
  const table = new Map<string, Float64Array>();
  const {workload} = fit;
  const body =
    workload.kind === 'streams'
      ? ['  streams:', ...workload.streams.flatMap((stream) => [`    ${stream.name}:`, ...streamLines(stream, columns, table)])]
      : trafficLines(workload, '', columns, table).map((line) => `  ${line}`);
  const yaml = [
    ...lines.map((line) => `# ${line}`.trimEnd()),
    'model: llama-3.1-8b          # not from the trace: put yours',
    'hardware: {device: h100-sxm}  # not from the trace: put yours',
    'engine: vllm',
    '',
    'workload:',
    ...body,
    '',
    `run: {sessions: ${fit.sessions}, seed: ${seed}}   # as many as the trace has conversations`,
    '',
  ];
  return {yaml: yaml.join('\n'), csv: table.size === 0 ? null : csvOf(table)};
}

type Table = Map<string, Float64Array>;

function streamLines({name, traffic}: StreamConfig, columns: string, table: Table): string[] {
  return trafficLines(traffic, `${name}.`, columns, table).map((line) => `      ${line}`);
}

function trafficLines(traffic: Traffic, stem: string, columns: string, table: Table): string[] {
  if (traffic.kind !== 'agent' && traffic.kind !== 'lengths') throw new Error(`a fit has no ${traffic.kind}`);
  const written = (key: string, value: Distribution, unit = '') =>
    `${key}: ${distributionText(value, `${stem}${key}`, unit, columns, table)}`;
  return [
    `kind: ${traffic.kind}`,
    `arrivals: ${arrivalsText(traffic.arrivals)}`,
    ...(traffic.sharedPrefixes === null ? [] : [`shared_prefixes: {count: 1, tokens: ${constantOf(traffic.sharedPrefixes.tokens)}}`]),
    ...(traffic.kind === 'lengths'
      ? [written('input_tokens', traffic.inputTokens)]
      : [
          written('steps', traffic.steps),
          written('user_tokens', traffic.userTokens),
          written('tool_result_tokens', traffic.toolResultTokens),
          written('tool_time', traffic.toolTime, ' s'),
        ]),
    written('output_tokens', traffic.outputTokens),
  ];
}

function arrivalsText(arrivals: Arrivals): string {
  if (arrivals.process === 'closed-loop') return `{process: closed-loop, sessions: ${arrivals.sessions}}`;
  const cv = arrivals.process === 'gamma' ? `, cv: ${arrivals.cv}` : '';
  return `{process: ${arrivals.process}, rate: ${arrivals.rate} ${arrivals.of === 'session' ? 'session' : 'req'}/s${cv}}`;
}

function distributionText(value: Distribution, column: string, unit: string, columns: string, table: Table): string {
  if (value.dist !== 'empirical') return `${constantOf(value)}${unit}`;
  table.set(column, value.values);
  return `{from: ${JSON.stringify(`./${columns}`)}, column: ${column}}`;
}

function constantOf(value: Distribution): number {
  if (value.dist !== 'constant') throw new Error(`a fit has no ${value.dist}`);
  return value.value;
}

function csvOf(table: Table): string {
  const columns = [...table.values()];
  const rows = Array.from(columns[0], (_, row) => columns.map((values) => values[row]).join(','));
  return `${[[...table.keys()].join(','), ...rows].join('\n')}\n`;
}

/** The names of the streams of a workload with the kind of each. */
export function streamKinds(workload: WorkloadConfig): string {
  if (workload.kind !== 'streams') return workload.kind;
  return workload.streams.map(({name, traffic}) => `${name} (${traffic.kind})`).join(', ');
}
