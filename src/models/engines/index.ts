import {InputError} from '../../sim/core/errors.js';
import {lookup} from '../../sim/core/registry.js';
import type {EngineProfile} from './engine.js';
import {ideal} from './ideal.js';
import {llamaCpp, llamaCppVersions} from './llama-cpp.js';
import {sglang, sglangVersions} from './sglang.js';
import {vllm, vllmVersions} from './vllm.js';

interface Preset {
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly profile: (version: string) => EngineProfile;
}

/** Every engine by the name that scenario files use. */
export const engines: Readonly<Record<string, Preset>> = {
  ideal: {versions: ['1'], profile: ideal},
  vllm: {versions: vllmVersions, profile: vllm},
  'llama.cpp': {versions: llamaCppVersions, profile: llamaCpp},
  sglang: {versions: sglangVersions, profile: sglang},
};

/**
 * The profile of one version of an engine; the newest known when `version` is null.
 *
 * A patch release (0.19.1) has the profile of its minor release. Throws InputError on an unknown engine or a version outside those known.
 */
export function engineProfile(preset: string, version: string | null): EngineProfile {
  const {versions, profile} = lookup('engine', engines, preset);
  if (version === null) return profile(versions[versions.length - 1]);
  const release = version.replace(/^v/, '');
  const minor = versions.find(
    (known) => release === known || (release.startsWith(`${known}.`) && /^\d+(\.\w+)*$/.test(release.slice(known.length + 1))),
  );
  if (minor !== undefined) return profile(release);
  throw new InputError(
    `engine.version: ${preset} ${version} is not known; known: ${[...new Set([versions[0], versions[versions.length - 1]])].join(' to ')}`,
  );
}
