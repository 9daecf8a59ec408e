import {dollars} from '../format.js';

/** What a deployment does in a second, and what an hour of it costs beside its devices. */
export interface Rates {
  readonly devices: number;
  /** USD an hour. */
  readonly rest: number;
  /** Tokens and sessions a second; null: unknown. */
  readonly output: number | null;
  readonly input: number | null;
  readonly sessions: number | null;
}

/** What an hour, a million tokens and a session cost when a device costs `device` USD an hour. */
export function pricedText(device: number, {devices, rest, output, input, sessions}: Rates): string {
  const hour = device * devices + rest;
  const per = (rate: number | null, units: number, of: string) =>
    rate === null || rate === 0 ? [] : [`${dollars((hour / 3600 / rate) * units)} ${of}`];
  return [
    `${dollars(hour)} an hour`,
    ...per(output, 1e6, 'per million output tokens'),
    ...per(input, 1e6, 'per million input tokens'),
    ...per(sessions, 1, 'a session'),
  ].join(', ');
}
