import type {Random} from '../../../sim/core/random.js';
import {rounded} from './numbers.js';

/** Samples that a leaf holds at least. */
const LEAF = 2;
/** Share of the features that a split may choose from. */
const FEATURES = 0.7;

/** Grows one regression tree on the drawn rows and appends its nodes to `nodes`, three numbers each, left child first. */
export function growTree(rows: readonly Float64Array[], targets: Float64Array, drawn: Int32Array, random: Random, nodes: number[]): void {
  const at = nodes.length;
  const split = drawn.length < 2 * LEAF ? null : bestSplit(rows, targets, drawn, random);
  if (split === null) {
    nodes.push(-1, rounded(drawn.reduce((sum, row) => sum + targets[row], 0) / drawn.length), 0);
    return;
  }
  nodes.push(split.feature, split.threshold, 0);
  const left = drawn.filter((row) => rows[row][split.feature] <= split.threshold);
  growTree(rows, targets, left, random, nodes);
  nodes[at + 2] = nodes.length / 3;
  const right = drawn.filter((row) => rows[row][split.feature] > split.threshold);
  growTree(rows, targets, right, random, nodes);
}

/** The split that takes most from the squared error, or null when the drawn rows cannot be told apart. */
function bestSplit(rows: readonly Float64Array[], targets: Float64Array, drawn: Int32Array, random: Random) {
  const count = drawn.length;
  const total = drawn.reduce((sum, row) => sum + targets[row], 0);
  let best: {feature: number; threshold: number} | null = null;
  let most = (total * total) / count + 1e-12;
  for (const feature of chosenFeatures(rows[0].length, random)) {
    const order = drawn.slice().sort((a, b) => rows[a][feature] - rows[b][feature]);
    let sum = 0;
    for (let i = 0; i < count - 1; i++) {
      sum += targets[order[i]];
      const [here, next] = [rows[order[i]][feature], rows[order[i + 1]][feature]];
      if (here === next || i + 1 < LEAF || count - i - 1 < LEAF) continue;
      const score = (sum * sum) / (i + 1) + (total - sum) ** 2 / (count - i - 1);
      if (score > most) {
        most = score;
        const threshold = rounded((here + next) / 2);
        if (threshold >= here && threshold < next) best = {feature, threshold};
      }
    }
  }
  return best;
}

function chosenFeatures(count: number, random: Random): number[] {
  const features = Array.from({length: count}, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [features[i], features[j]] = [features[j], features[i]];
  }
  return features.slice(0, Math.max(1, Math.ceil(FEATURES * count)));
}
