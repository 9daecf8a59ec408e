import type {BatchSums, CostModel, Prediction} from './cost.js';

/** The model with every duration stretched by `factor`; the model itself when that is 1. */
export function scaled(model: CostModel, factor: number): CostModel {
  if (factor === 1) return model;
  return {
    ...pick(model),
    predict(batch: Readonly<BatchSums>, into: Prediction): void {
      model.predict(batch, into);
      into.seconds *= factor;
      for (let i = 0; i < into.bounds.length; i++) into.bounds[i] *= factor;
      for (let i = 0; i < into.terms.length; i++) into.terms[i] *= factor;
    },
  };
}

/** One part of every step, stretched: to see what a wrong constant does. */
export interface Stretch {
  /** Name of a term of the model. */
  readonly term: string;
  readonly factor: number;
}

/** The model with one of its terms stretched; what bounds a step keeps its shares. The model itself when it has no such term. */
export function stretched(model: CostModel, {term, factor}: Stretch): CostModel {
  const index = model.terms.findIndex(({name}) => name === term);
  if (index < 0 || factor === 1) return model;
  return {
    ...pick(model),
    predict(batch: Readonly<BatchSums>, into: Prediction): void {
      model.predict(batch, into);
      const extra = into.terms[index] * (factor - 1);
      const share = into.seconds > 0 ? 1 + extra / into.seconds : 1;
      into.terms[index] += extra;
      into.seconds += extra;
      for (let i = 0; i < into.bounds.length; i++) into.bounds[i] *= share;
    },
  };
}

function pick({kind, terms, window}: CostModel): Omit<CostModel, 'predict'> {
  return {kind, terms, window};
}
