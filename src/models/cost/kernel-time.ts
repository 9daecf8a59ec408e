import {InputError} from '../../sim/core/errors.js';
import type {Device, DeviceFits} from '../devices/device.js';
import {literal} from '../devices/literal.js';
import type {FitJson, KernelFit} from './fit/fit.js';
import {loadFit} from './fit/index.js';
import type {KernelWork} from './fit/kernels/kernel.js';

/** Which fits of a device a cost model takes: all of them, or those of one form; `roofline` takes none. */
export type FitChoice = 'auto' | 'roofline' | 'table' | 'forest';

/** A measured kernel of the device, as the scenario has it: another bandwidth or peak than that measured on stretches it. */
export class KernelTime {
  readonly fit: KernelFit;
  readonly #work: KernelWork = {flops: 0, bytes: 0};
  /** Peak and bandwidth now over those measured on. */
  readonly #compute: number;
  readonly #bandwidth: number;
  readonly #peaks: {readonly compute: number; readonly bandwidth: number};
  readonly #launch: number;
  readonly #stretched: boolean;
  /** A link's time over bytes: another bandwidth is another size of the message. */
  readonly #message: number;
  readonly #bytes: [number] = [0];

  constructor(fit: KernelFit, device: Device, {on}: DeviceFits) {
    this.fit = fit;
    const {compute} = fit.kernel;
    const measured = (compute === null ? undefined : on.compute[compute]) ?? Number.POSITIVE_INFINITY;
    this.#peaks = {compute: measured, bandwidth: on.bandwidth};
    this.#compute = ((compute === null ? undefined : device.compute[compute]?.value) ?? measured) / measured || 1;
    this.#bandwidth = device.memory[device.home]!.bandwidth.value / on.bandwidth;
    this.#launch = fit.fitted.parameters['o'] ?? 0;
    const peer = device.links.peer?.bandwidth.value ?? 0;
    const link = fit.kernel.axes.length === 1 && fit.kernel.axes[0] === 'bytes';
    this.#message = link && peer > 0 && on.peer > 0 ? on.peer / peer : 1;
    this.#stretched = !link && (this.#compute !== 1 || this.#bandwidth !== 1);
  }

  /** Seconds of one launch. */
  seconds(shape: readonly number[]): number {
    if (this.#message !== 1) {
      this.#bytes[0] = shape[0] * this.#message;
      return this.fit.fitted.predict(this.#bytes);
    }
    const seconds = this.fit.fitted.predict(shape);
    if (!this.#stretched) return seconds;
    this.fit.kernel.work(shape, this.#work);
    const compute = this.#work.flops / this.#peaks.compute;
    const memory = this.#work.bytes / this.#peaks.bandwidth;
    const ratio = Math.max(compute / this.#compute, memory / this.#bandwidth) / Math.max(compute, memory);
    const launch = Math.min(this.#launch, seconds);
    return launch + (seconds - launch) * ratio;
  }

  /** Whether the shape lies beyond what was measured. */
  outside(shape: readonly number[]): boolean {
    return this.fit.fitted.extrapolated(shape);
  }
}

/** The measured kernels of a device by name. */
export class KernelTimes {
  readonly #device: Device;
  readonly #choice: FitChoice;
  readonly #read = new Map<string, KernelTime | null>();

  /** Throws InputError when the device has no fit of the form that is asked for. */
  constructor(device: Device, choice: FitChoice) {
    this.#device = device;
    this.#choice = choice;
    if (choice !== 'table' && choice !== 'forest') return;
    const entries = (device.fits ?? []).flatMap(({kernels}) => Object.values(kernels));
    if (entries.some((json) => this.#takes(json))) return;
    const forms = [...new Set(entries.map(({form}) => form))];
    throw new InputError(
      `${device.id} has no fit of the form ${choice}; it has ${forms.length === 0 ? 'no fits' : forms.join(', ')}. Use auto or roofline, or a profile made with such fits`,
    );
  }

  /** The first of these kernels that was measured at such a shape, else the first that was measured at all, else null. */
  find(names: readonly string[], shape?: readonly number[]): KernelTime | null {
    let first: KernelTime | null = null;
    for (const name of names) {
      const found = this.#named(name);
      if (found !== null && (shape === undefined || !found.outside(shape))) return found;
      first ??= found;
    }
    return first;
  }

  #named(name: string): KernelTime | null {
    let found = this.#read.get(name);
    if (found === undefined) {
      found = this.#load(name);
      this.#read.set(name, found);
    }
    return found;
  }

  #load(name: string): KernelTime | null {
    for (const fits of this.#device.fits ?? []) {
      const json = fits.kernels[name];
      if (json !== undefined && this.#takes(json)) return new KernelTime(loadFit(name, json, literal), this.#device, fits);
    }
    return null;
  }

  #takes({form}: FitJson): boolean {
    return this.#choice === 'auto' || form === `${this.#choice}/1`;
  }
}
