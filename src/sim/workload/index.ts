import {agent} from './agent.js';
import {IdPool} from './block-ids.js';
import {chat} from './chat.js';
import {classesOf} from './classes.js';
import {documentQa} from './document-qa.js';
import {Intake} from './intake.js';
import {lengths} from './lengths.js';
import {Mixed} from './mixed.js';
import {replay} from './replay.js';
import type {Stream, StreamOptions} from './stream.js';
import type {Traffic, Workload, WorkloadConfig, WorkloadOptions} from './workload.js';

type Of<K> = Extract<Traffic, {kind: K}>;

/** Every kind of traffic by the name that scenario files use. */
export const workloads: {[K in Traffic['kind']]: (config: Of<K>, options: StreamOptions) => Stream} = {
  agent,
  batch: lengths,
  chat,
  'document-qa': documentQa,
  lengths,
  replay,
};

/** Makes the workload; an InputError says which key cannot be. */
export function createWorkload(config: WorkloadConfig, options: WorkloadOptions): Workload {
  const classes = classesOf(config);
  const common = {...options, classes, intake: new Intake(options.limit), ids: new IdPool()};
  if (config.kind !== 'streams') return createStream(config, {...common, path: 'workload', class: 0});
  const streams = config.streams.map(({name, traffic, class: of}) =>
    createStream(traffic, {...common, path: `workload.streams.${name}`, class: classes.indexOf(of)}),
  );
  return new Mixed(streams, common);
}

function createStream(traffic: Traffic, options: StreamOptions): Stream {
  const create = workloads[traffic.kind] as (config: Traffic, options: StreamOptions) => Stream;
  return create(traffic, options);
}
