import {expect, it} from 'vitest';
import {engineProfile} from '../../../src/models/engines/index.js';
import {quantities} from '../../../src/sim/core/quantity.js';
import {readEngineFile} from '../../../src/sim/scenario/resolve/engine-profile.js';
import {resolveScenario} from '../../../src/sim/scenario/resolve/index.js';
import {memoryFiles} from '../../support/memory-files.js';

const profile = `
schema: tiercast.engine/1
preset: vllm
version: "0.19"
in_flight: 1
overhead:
  step: {value: 2 ms, grade: fitted, source: two runs}
  delivery: 30 us
launch_per_layer: 8 us
reserve: {context: 1 GB}
fit: {anything: at all}
`;

const scenario = `
model: llama-3.1-8b
hardware: h100-sxm
engine: {preset: vllm, profile: ./vllm.engine.yaml, overhead: {delivery: 10 us}}
workload: {kind: chat, arrivals: 1 session/s}
`;

function load(text: string, file = profile) {
  return resolveScenario('a.yaml', memoryFiles({'a.yaml': text, 'vllm.engine.yaml': file}));
}

it('replaces the figures of the preset by those of the profile, and leaves the others', async () => {
  const file = readEngineFile(profile, 'vllm.engine.yaml', await quantities());
  const base = engineProfile('vllm', '0.19');
  const engine = file.apply(base);
  expect(file).toMatchObject({preset: 'vllm', version: '0.19'});
  expect(engine.overhead.step).toEqual({value: 2e-3, grade: 'fitted', source: 'two runs'});
  expect(engine).toMatchObject({inFlight: 1, launchPerLayer: {value: 8e-6}, reserve: {context: {value: 1e9}}});
  expect(engine.overhead.sequence).toEqual(base.overhead.sequence);
});

it('takes the version from the profile; what the scenario says itself wins', async () => {
  const {engine, files} = await load(scenario);
  expect(engine).toMatchObject({version: '0.19', overhead: {step: {value: 2e-3}, delivery: {value: 10e-6}}});
  expect(files.map(({path}) => path)).toContain('vllm.engine.yaml');
});

it('warns when the profile was fitted to another version', async () => {
  const {warnings, engine} = await load(scenario.replace('preset: vllm', 'preset: vllm, version: "0.24"'));
  expect(engine.version).toBe('0.24');
  expect(warnings).toContainEqual(expect.objectContaining({code: 'engine_version'}));
});

it('refuses a profile of another engine', async () => {
  await expect(load(scenario.replace('preset: vllm', 'preset: ideal'))).rejects.toThrow(
    'a.yaml:4:34 engine.profile: ./vllm.engine.yaml is of vllm, the scenario runs ideal',
  );
});

it.each([
  ['step: {value: 2 ms', 'step: {value: 2 GB', /vllm.engine.yaml:7:9 overhead.step: "2 GB" is a size/],
  ['delivery: 30 us', 'delivery: -30 us', /overhead.delivery: /],
  ['grade: fitted', 'grade: guessed', /overhead.step: unknown grade "guessed"/],
  ['in_flight: 1', 'in_flight: none', /in_flight: is not a number of steps/],
  ['  delivery:', '  deliver:', /overhead.deliver: unknown key "overhead.deliver" \(did you mean "overhead.delivery"\?\)/],
  ['preset: vllm\n', '', /preset: missing/],
])('refuses %s written as %s, at its place', async (right, wrong, message) => {
  await expect(load(scenario, profile.replace(right, wrong))).rejects.toThrow(message);
});
