// node test/bench/simulate-once.mjs SCENARIO [PATH=VALUE…]: CPU seconds to load it (units, checks, trace) and to simulate it once, in a process that has done nothing before.
import {loadScenario, planMemory, simulate} from '../../dist/index.js';

const start = process.cpuUsage();
const scenario = await loadScenario(process.argv[2], {set: process.argv.slice(3)});
const plan = planMemory(scenario);
const loaded = process.cpuUsage();
const {requests, counters, tiers} = simulate(scenario, plan, {replication: 0});
const simulated = process.cpuUsage();
console.log(
  JSON.stringify({
    load: seconds(start, loaded),
    simulate: seconds(loaded, simulated),
    requests: requests.rows,
    steps: counters.steps,
    blockOperations: blockOperations(),
  }),
);

/** At least so many lookups, inserts and evictions of one block in one memory; touches, which are about as many again for each memory, are not counted. */
function blockOperations() {
  const tokens = (column) => column.subarray(0, requests.rows).reduce((sum, n) => sum + n, 0);
  const found = (tokens(requests.input) + tokens(requests.computed)) / scenario.kv.blockSize;
  const moved = tiers.reduce((sum, tier) => sum + (tier.readBytes + tier.writtenBytes) / plan.blockBytes + tier.evictions, 0);
  return Math.round(found + moved + counters.evictions);
}

function seconds(from, to) {
  return (to.user + to.system - from.user - from.system) / 1e6;
}
