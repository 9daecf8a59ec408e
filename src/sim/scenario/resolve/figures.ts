import type {Device} from '../../../models/devices/device.js';
import type {EngineProfile} from '../../../models/engines/engine.js';
import type {Figure} from '../../../models/provenance.js';
import {type QuantityKind, quantityText} from '../../core/quantity.js';
import type {Assumption} from '../scenario.js';
import type {Draft} from './draft.js';

type Row = readonly [path: string, figure: Figure | null | undefined, kind: QuantityKind | 'share'];

/** Lists every figure of the device and the engine that is only assumed, and every one that the scenario sets itself. */
export function assumedFigures(draft: Draft, device: Device, engine: EngineProfile, count: number): Assumption[] {
  return [...deviceRows(device, count), ...engineRows(draft, engine)]
    .filter(([path, figure]) => figure && (figure.grade === 'assumed' || draft.isWritten(path)))
    .map(([path, figure, kind]) => ({
      path,
      value: draft.isWritten(path) ? draft.textAt(path) : textOf(figure!.value, kind),
      grade: figure!.grade,
      source: figure!.source,
    }));
}

function textOf(value: number, kind: Row[2]): string {
  return kind === 'share' ? String(value) : quantityText(value, kind);
}

/** Links between devices matter only when there are several. */
function deviceRows(device: Device, count: number): Row[] {
  const {home, memory, gpuLimit, compute, links} = device;
  const rows: Row[] = [
    [`hardware.memory.${home}.capacity`, memory[home]?.capacity, 'bytes'],
    [`hardware.memory.${home}.bandwidth`, memory[home]?.bandwidth, 'bandwidth'],
    ['hardware.memory.unified.gpu_limit', gpuLimit?.grade === 'extrapolated' ? {...gpuLimit, grade: 'assumed'} : gpuLimit, 'bytes'],
  ];
  for (const [type, figure] of Object.entries(compute)) rows.push([`hardware.compute.${type}`, figure, 'flops']);
  if (count > 1)
    rows.push(
      ['hardware.links.peer.bandwidth', links.peer?.bandwidth, 'bandwidth'],
      ['hardware.links.peer.latency', links.peer?.latency, 'duration'],
    );
  return rows;
}

function engineRows(draft: Draft, engine: EngineProfile): Row[] {
  if (engine.ideal) return [];
  const written = draft.isWritten('engine.gpu_memory_utilization');
  return [
    ['engine.overhead.step', engine.overhead.step, 'duration'],
    ['engine.overhead.sequence', engine.overhead.sequence, 'duration'],
    ['engine.overhead.request', engine.overhead.request, 'duration'],
    ['engine.overhead.delivery', engine.overhead.delivery, 'duration'],
    ['engine launches of a layer', engine.launchPerLayer, 'duration'],
    ['engine context', engine.reserve.context, 'bytes'],
    ...(engine.utilizationOf === 'weights-and-kv' ? [] : [['engine graphs', engine.reserve.graphs, 'bytes'] as Row]),
    ...(written ? [] : [['engine.gpu_memory_utilization', engine.gpuMemoryUtilization, 'share'] as Row]),
  ];
}
