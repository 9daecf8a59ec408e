import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {html, type Markup} from '../markup.js';
import {pricedText} from '../page/priced.js';

/** A field for one's own price of a device; the page's script shows it and says at once what that makes. */
export function ownPrice({cost, throughput}: ResultDocument): Markup {
  const device = cost.prices.find(({part}) => part === 'device')?.usd ?? cost.listed?.usd_per_hour ?? 1;
  const rates = {
    devices: cost.devices,
    rest: cost.per_hour === null ? 0 : cost.per_hour_usd! - cost.per_hour.device_usd,
    output: throughput.output_tokens_per_s,
    input: throughput.input_tokens_per_s,
    sessions: throughput.sessions_per_s,
  };
  return html`<div class="own-price" hidden data-rates="${JSON.stringify(rates)}"><label>Your price of a device, USD an hour <input type="number" min="0" step="0.05" value="${device}"></label> <output>${pricedText(device, rates)}</output></div>`;
}
