import {expect, it} from 'vitest';
import {linearCost} from '../../support/linear-cost.js';
import {simulated} from '../../support/replica-config.js';
import {ScriptedWorkload} from '../../support/scripted.js';

const MS = 1e6;

it('hands tokens to clients a delivery later for each sequence of the step, and does not hold up the next step', () => {
  // Steps of 10 ms: 0-10 both prompts, 10-20 both decode and a ends, 20-30 b alone. Delivery is 1 ms a sequence.
  const {requests, lastEnd} = simulated(
    {delivery: 1e-3},
    linearCost({base: 0.01}),
    new ScriptedWorkload([
      {at: 0, input: 5, output: 2},
      {at: 0, input: 5, output: 3},
    ]),
  );
  expect([...requests.firstToken.slice(0, 2)]).toEqual([12 * MS, 12 * MS]);
  expect([...requests.finished.slice(0, 2)]).toEqual([22 * MS, 31 * MS]);
  expect(lastEnd).toBe(31 * MS);
  // Gaps are those that clients see: 12 to 22, and 22 to 31.
  expect([...requests.longestGap.slice(0, 2)]).toEqual([10 * MS, 10 * MS]);
  expect(requests.gaps[0].times).toEqual(Float64Array.of(22 * MS, 31 * MS));
});
