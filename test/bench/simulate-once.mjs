// node test/bench/simulate-once.mjs SCENARIO: CPU seconds to load it (units, checks, trace) and to simulate it once, in a process that has done nothing before.
import {loadScenario, planMemory, simulate} from '../../dist/index.js';

const start = process.cpuUsage();
const scenario = await loadScenario(process.argv[2]);
const plan = planMemory(scenario);
const loaded = process.cpuUsage();
const {requests, counters} = simulate(scenario, plan, {replication: 0});
console.log(
  JSON.stringify({
    load: seconds(start, loaded),
    simulate: seconds(loaded, process.cpuUsage()),
    requests: requests.rows,
    steps: counters.steps,
  }),
);

function seconds(from, to) {
  return (to.user + to.system - from.user - from.system) / 1e6;
}
