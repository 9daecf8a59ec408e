import type {ComputeType} from '../../models/devices/device.js';
import type {RunCounters} from '../metrics/record.js';
import type {Scenario} from './scenario.js';

/**
 * MFU and MBU of the whole run: floating-point operations and memory bytes of its steps over what the devices could do in the same busy
 * seconds at their dense peak. The peak is that of the fastest number format any weight is multiplied in, so a share is at most 1.
 * Null where the cost model counts no work (`constant`) or the device states no peak.
 */
export function utilisation(scenario: Scenario, counters: readonly RunCounters[]): {mfu: number | null; mbu: number | null} {
  const sum = (pick: (c: RunCounters) => number) => counters.reduce((total, c) => total + pick(c), 0);
  const busy = sum((c) => c.busySeconds) * scenario.count;
  const share = (work: number, peak: number | null) => (work > 0 && busy > 0 && peak !== null && peak > 0 ? work / busy / peak : null);
  return {
    mfu: share(
      sum((c) => c.flops),
      computePeak(scenario),
    ),
    mbu: share(
      sum((c) => c.bytes),
      scenario.device.memory[scenario.device.home]?.bandwidth.value ?? null,
    ),
  };
}

function computePeak({llm, device, activationType}: Scenario): number | null {
  const types = new Set<ComputeType>([activationType]);
  for (const {compute} of Object.values(llm.formats)) if (compute !== 'activation') types.add(compute);
  const peaks = [...types].flatMap((type) => device.compute[type]?.value ?? []);
  return peaks.length === 0 ? null : Math.max(...peaks);
}
