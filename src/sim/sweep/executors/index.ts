import type {ExecutorFactory} from './executor.js';
import {inProcess} from './in-process.js';
import {local} from './local.js';

/** Every executor by the name that `--executor` uses. */
export const executors = {local, 'in-process': inProcess} as const satisfies Record<string, ExecutorFactory>;
export type ExecutorName = keyof typeof executors;
