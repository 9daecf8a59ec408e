import {BatchSums, Prediction} from '../../src/models/cost/cost.js';
import {stepCost} from '../../src/models/cost/step-cost.js';
import type {Device} from '../../src/models/devices/device.js';
import type {EngineProfile} from '../../src/models/engines/engine.js';
import {engineProfile} from '../../src/models/engines/index.js';
import {kvFormat} from '../../src/models/llms/index.js';
import {paramCounts} from '../../src/models/llms/params.js';
import type {EngineKernels} from './fit.js';
import type {MeasuredStep} from './measure.js';
import type {Point} from './session.js';
import {type LlamaShape, llmOf} from './shape.js';

/** A step of a model that the calibration did not see: what the simulator predicts and what it took. */
export interface ValidationRow {
  readonly model: string;
  /** Billions. */
  readonly params: number;
  readonly what: string;
  readonly predicted: number;
  readonly measured: number;
  /** Predicted over measured, minus 1. */
  readonly error: number;
  readonly samples: number;
  readonly clean: number;
}

/** Mean of |error| that a validation passes with, at grade A or B. */
export const MOST_ERROR = 0.15;

/** The engine with the host times of a fit. */
export function fittedEngine({step, sequence}: EngineKernels): EngineProfile {
  const base = engineProfile('llama.cpp', null);
  const figure = (value: number) => ({value, grade: 'measured', source: 'tiercast calibrate --engine llama.cpp'}) as const;
  return {...base, overhead: {...base.overhead, step: figure(step), sequence: figure(sequence)}, launchPerLayer: figure(0)};
}

/** Seconds that the simulator's own cost of a step gives. */
export function simulatedStep(shape: LlamaShape, point: Point, device: Device, engine: EngineProfile): number {
  const llm = llmOf(shape);
  const cost = stepCost(llm, device, {tensor: 1, kvFormat: kvFormat('fp16', llm), activationType: 'fp16', engine, fits: 'auto'});
  const batch = batchOf(point);
  const prediction = new Prediction(cost.terms.length);
  cost.predict(batch, prediction);
  return prediction.seconds;
}

function batchOf({batch, tokens, depth}: Point): BatchSums {
  const sums = new BatchSums();
  sums.emitting = batch;
  if (tokens > 1) {
    for (let i = 0; i < batch; i++) sums.addChunk(depth, tokens, Number.POSITIVE_INFINITY);
    return sums;
  }
  sums.decodes = batch;
  sums.decodeContext = sums.decodeContextClipped = batch * (depth + 1);
  sums.decodeLongest = depth + 1;
  return sums;
}

/** Compares steps that were run with what a profile says of them. */
export function validationRows(steps: readonly MeasuredStep[], device: Device, engine: EngineProfile): ValidationRow[] {
  return steps.map(({shape, point, seconds, samples, clean}) => {
    const predicted = simulatedStep(shape, point, device, engine);
    const {batch, tokens, depth} = point;
    return {
      model: `${shape.layers} × ${shape.hidden}, ${shape.format}`,
      params: paramCounts(llmOf(shape)).total / 1e9,
      what: tokens > 1 ? `prefill of ${tokens}` : `decode of ${batch} at ${depth}`,
      predicted,
      measured: seconds,
      error: predicted / seconds - 1,
      samples,
      clean,
    };
  });
}

/** Mean of |error|. */
export function meanError(rows: readonly ValidationRow[]): number {
  return rows.reduce((sum, {error}) => sum + Math.abs(error), 0) / rows.length;
}
