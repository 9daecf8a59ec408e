import type {SweepRow, SweepView} from '../../reports/sweep/view.js';

const gpus = ['L4', 'H100', 'H200'];
const limits = ['8', '64'];
const rates = ['1 session/s', '2 session/s', '4 session/s'];

/** A small sweep worked out by formulas: dearer devices are faster; at 4 session/s the L4 misses its goal, and one H100 does not fit. */
export function exampleSweep(text = 'Which GPU?'): SweepView {
  const rows = gpus.flatMap((gpu, g) => limits.flatMap((limit, l) => rates.map((rate, r) => rowOf(gpu, limit, rate, [g, l, r]))));
  const good = (point: number) => rows[point]!.figures!;
  const pareto = [5, 11, 17].map((point, i) => ({
    rank: i + 1,
    point,
    equals: [],
    axes: rows[point]!.axes,
    objectives: {cost: good(point)['cost.per_million_output_tokens_usd']!, 'ttft_s.p95': good(point)['ttft_s.p95']!},
    against_baseline: null,
    scenario: `recommendations/00${i + 1}.yaml`,
  }));
  const cost = 'cost.per_million_output_tokens_usd';
  return {
    document: {
      tiercast: {version: '0.1.0'},
      name: text,
      search: 'grid',
      counts: {points: 18, skipped: 0, infeasible: 1, failed: 0, done: 17, good: 16},
      axes: [
        {name: 'gpu', values: gpus},
        {name: 'scheduler.max_num_seqs', values: limits},
        {name: 'workload.arrivals.rate', values: rates},
      ],
      objectives: [
        {goal: 'minimise', path: cost},
        {goal: 'minimise', path: 'ttft_s.p95'},
      ],
      constraints: ['slo.attainment >= 0.95'],
      baseline: null,
      pareto: pareto.map((point) => ({
        ...point,
        objectives: {[cost]: point.objectives.cost, 'ttft_s.p95': point.objectives['ttft_s.p95']},
      })),
      lacking: [],
      knee: 2,
      levers: [
        {
          objective: cost,
          shares: [
            {axis: 'workload.arrivals.rate', share: 0.6},
            {axis: 'gpu', share: 0.4},
            {axis: 'scheduler.max_num_seqs', share: 0},
          ],
        },
      ],
      identical: [
        {axis: 'scheduler.max_num_seqs', values: [text, '64'], settings: 9, of: 9},
        {axis: 'gpu', values: ['H100', 'H200'], settings: 1, of: 6},
      ],
      compared: {
        axes: ['gpu'],
        pairs: 5,
        rankings: [
          {
            setting: {'scheduler.max_num_seqs': text, 'workload.arrivals.rate': '1 session/s'},
            axis: 'gpu',
            objective: 'ttft_s.p95',
            ranked: [
              {value: 'H200', mean: 0.1, relative: null, ci95: null, wins: true},
              {value: 'H100', mean: 0.102, relative: 0.02, ci95: [-0.01, 0.05], wins: true},
              {value: text, mean: 0.4, relative: 3, ci95: [2.5, 3.5], wins: false},
            ],
          },
          {
            setting: {'scheduler.max_num_seqs': '64', 'workload.arrivals.rate': '1 session/s'},
            axis: 'gpu',
            objective: cost,
            ranked: [
              {value: 'H200', mean: 0, relative: null, ci95: null, wins: true},
              {value: 'H100', mean: 0, relative: null, ci95: null, wins: true},
            ],
          },
        ],
      },
      most: {
        axis: 'workload.arrivals.rate',
        settings: [
          {setting: {gpu: text}, value: '2 session/s', isLast: false},
          {setting: {gpu: 'H100'}, value: '4 session/s', isLast: true},
          {setting: {gpu: 'H200'}, value: null, isLast: false},
        ],
      },
      infeasible: [{reason: text, points: 1}],
    },
    rows: rows.map((row) =>
      row.point === 6 ? {...row, status: 'infeasible', reason: `${text} does not fit`, figures: null, misses: null} : row,
    ),
  };
}

function rowOf(gpu: string, limit: string, rate: string, [g, l, r]: readonly [number, number, number] | number[]): SweepRow {
  const point = (g! * limits.length + l!) * rates.length + r!;
  const overloaded = point === 2;
  return {
    point,
    status: 'done',
    reason: null,
    axes: {gpu, 'scheduler.max_num_seqs': limit, 'workload.arrivals.rate': rate},
    misses: overloaded ? ['slo.attainment >= 0.95'] : [],
    figures: {
      'cost.per_million_output_tokens_usd': ((g! + 1) / 2 ** r!) * (l === 0 ? 1.25 : 1),
      'ttft_s.p95': (0.4 / 4 ** g!) * (l === 0 ? 1.5 : 1) * (overloaded ? 100 : 1),
      'slo.attainment': overloaded ? 0.2 : 1,
    },
    command: `tiercast run study.yaml --set study=null --set gpu=${gpu} --set scheduler.max_num_seqs=${limit}`,
  };
}
