import {beforeAll, describe, expect, it} from 'vitest';
import {totalPerHour} from '../../../src/sim/scenario/cost-figures.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import {inProcess} from '../../../src/sim/sweep/executors/in-process.js';
import {identical} from '../../../src/sim/sweep/identical.js';
import {loadPoint, loadStudy} from '../../../src/sim/sweep/load.js';
import type {Row} from '../../../src/sim/sweep/rows.js';
import {changesOf, labelsOf} from '../../../src/sim/sweep/space.js';
import type {Study} from '../../../src/sim/sweep/study.js';
import {planPoints, simulatePoints} from '../../../src/sim/sweep/sweep.js';
import {memoryStore} from '../../support/studies.js';

const STUDY = 'scenarios/studies/kv-tiering.yaml';
/** Fewer requests and smaller memories, so that these overflow all the same. */
const small = ['run.requests=250', 'run.warmup=50', 'run.replications=1', 'kv.tiers.dram.of_hbm=3', 'kv.tiers.ssd.of_hbm=8'];

type Labels = Readonly<Record<string, string>>;

/** Runs those points of the study that a filter keeps, smaller. */
async function rowsOf(study: Study, keep: (labels: Labels) => boolean): Promise<Row[]> {
  const points = study.points.filter((point) => keep(labelsOf(study.axes, point)));
  const source = {study: {...study, points}, path: STUDY, set: small};
  const means = {executor: await inProcess(1), signal: new AbortController().signal, progress: () => {}};
  return simulatePoints(source, await planPoints(source, means), memoryStore(), means);
}

describe('the bundled study of KV below HBM', () => {
  let study: Study;
  beforeAll(async () => {
    study = await loadStudy(STUDY);
  });

  async function planned(keep: string) {
    const point = study.points.find((one) => labelsOf(study.axes, one)['keep'] === keep)!;
    const scenario = await loadPoint({study: STUDY, set: [], changes: changesOf(study.axes, point)});
    return {scenario, plan: planMemory(scenario)};
  }

  it('keeps 73 times what HBM alone does where each memory has its own, and 64 times where what lies above lies below too', async () => {
    for (const [keep, times] of [
      ['exclusive', 73],
      ['inclusive', 64],
    ] as const) {
      const {scenario, plan} = await planned(keep);
      const {resident_tokens, kv_tokens} = planDocument(scenario, plan);
      expect(resident_tokens / kv_tokens).toBe(times);
    }
  });

  it('has DRAM and SSD at the price that they have in the paper: 17.7 % of the device', async () => {
    const {scenario, plan} = await planned('exclusive');
    expect(totalPerHour(scenario, plan)! / scenario.cost.device!).toBeCloseTo(1.177, 4);
  });

  it('finds naive `predicted` to be recency, for all traffic and both ways to keep, and neither frequency nor ewma', async () => {
    const rows = await rowsOf(study, (at) => at['kv.prefetch'] === 'none' && at['workload.arrivals.sessions'] === '40');
    expect(rows.map(({status}) => status)).toEqual(Array.from({length: 24}, () => 'done'));
    for (const {figures} of rows) expect(figures!['tiers.ssd.evictions']).toBeGreaterThan(0);
    expect(identical(study.axes, rows).filter(({axis, settings, of}) => axis === 'policy' && settings === of)).toEqual([
      {axis: 'policy', values: ['recency', 'predicted'], settings: 6, of: 6},
    ]);
  }, 180_000);

  it('tells what the oracle hides apart from what it moves: waits for loads are shorter, the bytes are more', async () => {
    const rows = await rowsOf(
      study,
      (at) =>
        at['keep'] === 'exclusive' &&
        at['policy'] === 'recency' &&
        at['kv.prefetch'] !== 'session' &&
        at['workload.arrivals.sessions'] === '20',
    );
    for (const traffic of ['chat', 'agents', 'documents']) {
      const [none, oracle] = ['none', 'oracle'].map(
        (prefetch) => rows.find(({axes}) => axes['traffic'] === traffic && axes['kv.prefetch'] === prefetch)!.figures!,
      );
      expect(oracle['load_s.mean'], traffic).toBeLessThan(none['load_s.mean']!);
      expect(oracle['tiers.moved_bytes'], traffic).toBeGreaterThan(none['tiers.moved_bytes']!);
      expect(oracle['tiers.moved_bytes.prefetch_useful'], traffic).toBeGreaterThan(0);
      expect(none['tiers.moved_bytes.prefetch_useful']).toBeUndefined();
      expect(oracle['throughput.output_tokens_per_s']! / none['throughput.output_tokens_per_s']!).toBeCloseTo(1, 1);
    }
  }, 180_000);
});
