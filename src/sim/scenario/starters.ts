/** What `init` can write a scenario for. */
export const starterKinds = ['chat', 'agent', 'document-qa', 'lengths', 'replay'] as const;
export type StarterKind = (typeof starterKinds)[number];

/** The file that the first line of a starter names, for completion in editors; `tiercast schema` prints it. */
export const schemaFile = 'tiercast.schema.json';

/** A commented scenario to start from. `trace` is the file that a replay reads. */
export function starter(kind: StarterKind, model: string, device: string, trace: string): string {
  return `# yaml-language-server: $schema=./${schemaFile}
# ${titles[kind]}  Every key: tiercast explain, or tiercast explain KEY.
model: ${JSON.stringify(model)}        # tiercast list models, or ./config.json

hardware:
  device: ${JSON.stringify(device)}         # tiercast list devices, or a profile file
  # count: 1               # devices of the replica; must equal engine.parallel.tensor

engine:
  preset: vllm
  # version: "0.24"        # decides defaults, such as the share of memory
  # parallel: {tensor: 1}
  # max_model_len: 32768   # longest prompt + output; the model's when left out

# scheduler:
#   max_num_seqs: 256
#   max_num_batched_tokens: 8192

${workloads[kind](trace)}
slo:                       # a request is good when it meets all of them
  ttft: ${kind === 'replay' ? '5 s' : '500 ms'}
  tpot: ${kind === 'replay' ? '100 ms' : '50 ms'}
  attainment: 0.95         # share of requests that must be good

# cost: {device: 2.50 USD/hour}    # your price; without one no cost is printed

# run: {replications: 5, seed: 1}  # replications narrow the intervals
`;
}

const titles: Readonly<Record<StarterKind, string>> = {
  chat: 'Chat sessions: turns that share a growing prefix.',
  agent: 'Tasks of agents: requests that wait for tools, with a long shared prefix.',
  'document-qa': 'Questions to documents that several sessions ask about.',
  lengths: 'Independent requests with random lengths.',
  replay: 'A recorded trace.',
};

const workloads: Readonly<Record<StarterKind, (trace: string) => string>> = {
  chat: () => `workload:
  kind: chat
  arrivals: 2 session/s    # Poisson; or {process: closed-loop, sessions: 64}
  turns: 5
  think_time: 30 s         # from the end of an answer to the next question
  user_tokens: {dist: lognormal, mean: 200, cv: 1.0, max: 4000}
  output_tokens: {dist: lognormal, mean: 240, cv: 1.0, max: 2000}
  # shared_prefixes: {count: 3, tokens: 1500}   # system prompts
`,
  agent: () => `workload:
  kind: agent
  arrivals: {process: closed-loop, sessions: 8}  # or 0.1 session/s
  shared_prefixes: {count: 2, tokens: 6000}      # system prompt and tool schemas
  steps: {dist: lognormal, mean: 20, cv: 1.0, max: 100}
  user_tokens: {dist: lognormal, mean: 600, cv: 1.0}
  tool_time: {dist: lognormal, mean: 5 s, cv: 1.5}
  tool_result_tokens: {dist: lognormal, mean: 900, cv: 1.5, max: 20000}
  output_tokens: {dist: lognormal, mean: 300, cv: 1.0, max: 4000}
  context_limit: {tokens: 60000, keep_tokens: 12000}   # compaction: reuse breaks here
`,
  'document-qa': () => `workload:
  kind: document-qa
  arrivals: 0.5 session/s
  documents: {count: 500, popularity: {dist: zipf, s: 0.9}}
  document_tokens: {dist: lognormal, mean: 12000, cv: 0.7, max: 60000}
  questions: {dist: geometric, mean: 4}
  question_tokens: {dist: uniform, min: 20, max: 120}
  output_tokens: {dist: lognormal, mean: 250, cv: 0.8}
  think_time: {dist: exponential, mean: 25 s}
`,
  lengths: () => `workload:
  kind: lengths
  arrivals: {process: poisson, rate: 3 req/s}   # or gamma with cv, constant, closed-loop with sessions
  input_tokens: {dist: lognormal, mean: 1500, cv: 0.9, max: 16000}
  output_tokens: {dist: lognormal, mean: 250, cv: 0.8, max: 2000}
`,
  replay: (trace) => `workload:
  kind: replay
  trace: ${JSON.stringify(trace)}   # JSON lines or CSV, also .gz; the format is found by content
  rate_scale: 1            # 0.5 is half the recorded rate
  dequantise: none         # uniform spreads rows that share a timestamp
`,
};
