import {InputError} from '../../../sim/core/errors.js';
import type {QuantityParser} from '../../../sim/core/quantity.js';
import {lookup} from '../../../sim/core/registry.js';
import type {Grade} from '../../provenance.js';
import type {FitError, FitJson, Form, FormName, KernelFit} from './fit.js';
import {forest} from './forms/forest.js';
import {alphaBeta, twoProtocol} from './forms/links.js';
import {pnormGrid} from './forms/pnorm-grid.js';
import {maxForm, pnormForm} from './forms/roofline.js';
import {storage} from './forms/storage.js';
import {table} from './forms/table.js';
import {kernelNamed} from './kernels/index.js';

/** Every form by the name that profiles use. */
export const forms: Readonly<Record<FormName, Form>> = {
  max: maxForm,
  pnorm: pnormForm,
  'pnorm-grid': pnormGrid,
  table,
  forest,
  'alpha-beta': alphaBeta,
  'two-protocol': twoProtocol,
  storage,
};

/** Reads one entry of a profile's `fits`. Throws InputError that names the entry and what is wrong with it. */
export function loadFit(name: string, json: FitJson, parse: QuantityParser): KernelFit {
  const [form, version] = String(json.form).split('/');
  if (version !== '1') throw new InputError(`fits.${name}.form: "${json.form}" is not one of version 1, e.g. "pnorm-grid/1"`);
  const kernel = kernelNamed(name);
  return {
    kernel,
    fitted: lookup('form of fits', forms, form).load(kernel, json, parse),
    error: (json['error'] as FitError | undefined) ?? null,
    grade: (json['grade'] as Grade | undefined) ?? 'fitted',
    source: String(json['source'] ?? ''),
  };
}

/** Writes a fit as an entry of a profile's `fits`; `loadFit` reads it back to equal predictions. */
export function writeFit({fitted, error, grade, source}: KernelFit): FitJson {
  return {...fitted.toJson(), ...(error === null ? {} : {error: roundedError(error)}), grade, source};
}

function roundedError(error: FitError): FitError {
  const {mape, p50, p90, bias, interval, n} = error;
  const four = (value: number) => Number(value.toPrecision(4));
  return {mape: four(mape), p50: four(p50), p90: four(p90), bias: four(bias), interval: [four(interval[0]), four(interval[1])], n};
}
