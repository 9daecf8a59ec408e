import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {chat} from '../../support/scenario-text.js';
import {folderWith, tiercast} from '../../support/studies.js';

// Each test starts the program, which a busy machine may take seconds for.
vi.setConfig({testTimeout: 60_000});

const text = `${chat.replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, memory: {dram: 64 GiB}}').replace('engine: vllm', 'engine: {preset: vllm, max_model_len: 4096}')}kv:
  blocks: 401
  tiers: {dram: 1 GiB}
run: {sessions: 60}
`;

describe('tiercast cache SCENARIO', () => {
  const folder = folderWith({'chat.yaml': text});
  const cache = (...args: string[]) => tiercast(folder, 'cache', 'chat.yaml', '--policies', 'lru,arc', ...args);

  it('takes its memories as sizes and as tiers, and its requests in order of arrival', () => {
    const {exit, stdout, stderr} = cache('--json', '--out', 'out');
    expect(exit, stderr).toBe(0);
    const document = JSON.parse(stdout);
    // vLLM keeps one block to itself. 1 GiB in blocks of 16 tokens of 131,072 B: 512.
    expect(document.scenario).toMatchObject({
      seed: 1,
      memories: [
        {memory: 'hbm', blocks: 400},
        {memory: 'dram', blocks: 512},
      ],
    });
    expect(document.trace).toMatchObject({file: 'chat.yaml', format: 'scenario', block_tokens: 16, partial_blocks: false});
    expect(document.trace.requests).toBeGreaterThan(60);
    const lru = document.policies.find(({policy}: {policy: string}) => policy === 'lru');
    expect(lru.sizes.map(({blocks}: {blocks: number}) => blocks)).toEqual(
      [400, 512, document.ceiling.predictor_blocks].sort((a, b) => a - b),
    );
    const [hbm, dram] = document.tiers.memories;
    expect([hbm.memory, hbm.blocks, dram.memory, dram.blocks]).toEqual(['hbm', 400, 'dram', 512]);
    expect(hbm.hits).toBe(lru.sizes.find(({blocks}: {blocks: number}) => blocks === 400).hits);
    expect(hbm.hits + dram.hits).toBe(lru.sizes.find(({blocks}: {blocks: number}) => blocks === 512).hits);
    const page = readFileSync(join(folder, 'out', 'cache.html'), 'utf8');
    expect(page).toContain('in order of arrival');
    expect(page).toContain('<th scope="row">dram</th>');
  });

  it('says on lines which sizes are its memories, and that answers come at once', () => {
    const {stdout} = cache('--no-report');
    const [first, memories] = stdout.split('\n');
    expect(first).toMatch(/ block accesses of 16 tokens · [\d,]+ distinct · whole blocks of prompts; answers come at once and are kept$/);
    expect(memories).toBe('memories  hbm 400 blocks · dram 512 blocks');
    expect(cache('--no-report', '--sizes', '1000000,2000000').stdout).toMatch(/\nblocks +[\d,]+ +1,000,000 {2}2,000,000\n/);
    expect(stdout).toMatch(/\ntiers {5}lru · hbm: 400 blocks \d+\.\d\d % · dram: 512 blocks \d+\.\d\d % · missed /);
  });

  it('lets --set, --sizes and --tiers say otherwise; one memory is no tiers', () => {
    const one = JSON.parse(cache('--no-report', '--json', '--set', 'kv.tiers=null', '--sizes', '50').stdout);
    expect(one.tiers).toBeNull();
    expect(one.scenario.memories).toEqual([{memory: 'hbm', blocks: 400}]);
    expect(one.policies[0].sizes[0].blocks).toBe(50);
    const {memories} = JSON.parse(cache('--no-report', '--json', '--tiers', '10,20').stdout).tiers;
    expect(memories.map((memory: object) => Object.keys(memory))).toEqual([
      ['blocks', 'hits', 'share'],
      ['blocks', 'hits', 'share'],
    ]);
  });

  it('refuses what only traces have, and --set for a trace', () => {
    expect(cache('--stream').stderr).toBe('--stream goes through a file of requests, and chat.yaml is a scenario\n');
    expect(cache('--format', 'mooncake').stderr).toBe('--format names that of a trace, and chat.yaml is a scenario\n');
    const {exit, stderr} = tiercast(folder, 'cache', 'none.jsonl', '--set', 'run.seed=2', '--no-report');
    expect([exit, stderr]).toEqual([2, '--set changes keys of a scenario, and none.jsonl is a trace\n']);
    const lengths = tiercast(
      folderWith({
        'a.yaml': text.replace(/kind: chat\n.*\n/, 'kind: lengths\n  arrivals: 1 req/s\n  input_tokens: 90\n  output_tokens: 3\n'),
      }),
      'cache',
      'a.yaml',
    );
    expect([lengths.exit, lengths.stderr]).toEqual([2, expect.stringContaining('no block of it can be shared')]);
  });
});
