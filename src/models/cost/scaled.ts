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

function pick({kind, terms, window}: CostModel): Omit<CostModel, 'predict'> {
  return {kind, terms, window};
}
