import type {DeviceSpec} from './device.js';
import {assumed, pcie4, peers} from './figures.js';

/** A card of which no checked source was at hand: every figure is its specification as recalled, dense with 32-bit sums. */
export function recalledCard(
  family: Pick<DeviceSpec, 'kind' | 'vendor' | 'architecture'>,
  name: string,
  {capacity, bandwidth, peak, power}: Readonly<Record<'capacity' | 'bandwidth' | 'peak' | 'power', string>>,
): DeviceSpec {
  const figure = (value: string) => assumed(value, 'specification, recalled and not checked');
  return {
    ...family,
    name,
    memory: {hbm: {capacity: figure(capacity), bandwidth: figure(bandwidth)}},
    compute: {bf16: figure(peak), fp16: figure(peak)},
    links: {host: pcie4, peer: peers.pcie4},
    power: figure(power),
  };
}
