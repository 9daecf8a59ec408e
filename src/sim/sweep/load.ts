import {quantities} from '../core/quantity.js';
import {readScenarioFile} from '../scenario/file/document.js';
import {disk, loadScenario} from '../scenario/load.js';
import type {Change} from '../scenario/resolve/index.js';
import type {Scenario} from '../scenario/scenario.js';
import {readStudy, type Study} from './study.js';

/** Reads the study of a scenario file. Throws InputError with every fault, one line each. */
export async function loadStudy(path: string): Promise<Study> {
  const {tree} = await readScenarioFile(path, disk);
  return readStudy(tree, path, await quantities());
}

/** A point of a study: the scenario file, what the command line sets, then what the axes change. */
export interface PointSource {
  readonly study: string;
  readonly set: readonly string[];
  readonly changes: readonly Change[];
  readonly allowCode?: boolean;
}

/** Loads a point through the ordinary loader; `more` changes come last, `folder` is where its YAML will lie. Throws InputError. */
export async function loadPoint(
  {study, set, changes, allowCode = false}: PointSource,
  more: readonly string[] = [],
  folder?: string,
): Promise<Scenario> {
  return loadScenario(study, {set: ['study=null', ...set, ...changes, ...more], allowCode, ...(folder === undefined ? {} : {folder})});
}
