import type {Figure} from '../../src/models/provenance.js';
import {version} from '../../src/sim/core/version.js';
import {engineFigures} from '../../src/sim/scenario/resolve/engine-profile.js';
import type {EngineFit, Identified} from './fit.js';
import {engineParameters} from './parameters.js';
import type {Comparison} from './predict.js';

interface WrittenFigure {
  readonly value: string;
  readonly grade: string;
  readonly source: string;
}

/** An engine profile as `calibrate fit-engine` writes it and `engine.profile` reads it. Seconds and bytes stand as quantities; errors are shares. */
export interface EngineDocument {
  readonly schema: 'tiercast.engine/1';
  readonly preset: string;
  readonly version: string;
  readonly in_flight: number;
  readonly overhead: Readonly<Record<string, WrittenFigure>>;
  readonly launch_per_layer: WrittenFigure;
  readonly reserve: Readonly<Record<string, WrittenFigure>>;
  readonly fit: {
    readonly tool: string;
    readonly runs: readonly {readonly id: string; readonly engine: string; readonly stages: readonly string[]}[];
    /** Half the sum of squared errors, each in its tolerance, before and after. */
    readonly misfit: {readonly prior: number; readonly fitted: number};
    readonly in_flight: readonly {readonly steps: number; readonly misfit: number}[];
    readonly constants: readonly {
      readonly name: string;
      readonly what: string;
      readonly prior_s: number;
      readonly value_s: number;
      readonly identified: boolean;
      readonly misfit_halved: number;
      readonly misfit_doubled: number;
    }[];
    /** Blocks that runs report and that the plan derives, before the fit. */
    readonly kv_blocks: readonly {readonly run: string; readonly recorded: number; readonly derived: number}[];
    readonly not_identified: readonly string[];
    readonly errors: readonly {readonly run: string; readonly stage: string; readonly metric: string; readonly error: number}[];
  };
}

/** Makes the document of a fit; numbers have 6 significant digits. */
export function engineDocument(fit: EngineFit, runs: EngineDocument['fit']['runs']): EngineDocument {
  const {engine} = fit;
  const figures = Object.fromEntries(Object.entries(engineFigures).map(([path, {kind, of}]) => [path, figure(of(engine), kind)]));
  const part = (name: string) =>
    Object.fromEntries(
      Object.entries(figures)
        .filter(([path]) => path.startsWith(`${name}.`))
        .map(([path, value]) => [path.slice(name.length + 1), value]),
    );
  return {
    schema: 'tiercast.engine/1',
    preset: engine.preset,
    version: engine.version,
    in_flight: engine.inFlight,
    overhead: part('overhead'),
    launch_per_layer: figures.launch_per_layer,
    reserve: part('reserve'),
    fit: {
      tool: `tiercast ${version}`,
      runs,
      misfit: {prior: short(fit.misfit.prior), fitted: short(fit.misfit.fitted)},
      in_flight: fit.inFlight.map(({steps, misfit}) => ({steps, misfit: short(misfit)})),
      constants: fit.parameters.map(constant),
      kv_blocks: fit.reserve?.runs ?? [],
      not_identified: [
        ...fit.parameters.filter(({identified}) => !identified).map(({name}) => name),
        ...(fit.reserve === null ? ['reserve'] : []),
      ],
      errors: fit.comparisons.map(errorRow),
    },
  };
}

function figure({value, grade, source}: Figure, kind: string): WrittenFigure {
  return {value: kind === 'bytes' ? `${Math.round(value)} B` : `${short(value * 1e6)} us`, grade, source};
}

function constant({name, prior, value, identified, halved, doubled}: Identified) {
  return {
    name,
    what: engineParameters[name].label,
    prior_s: short(prior),
    value_s: short(value),
    identified,
    misfit_halved: short(halved),
    misfit_doubled: short(doubled),
  };
}

function errorRow({run, stage, metric, statistic, measured, predicted}: Comparison) {
  return {run, stage, metric: `${metric} ${statistic}`, error: short(predicted / measured - 1)};
}

function short(value: number): number {
  return Number(value.toPrecision(6));
}
