import {existsSync} from 'node:fs';
import {InputError} from '../../src/sim/core/errors.js';
import {lookup} from '../../src/sim/core/registry.js';
import {writeWhole} from '../write.js';
import {accuracyPage, validationDocument} from './document.js';
import {checks, validate} from './index.js';
import {validationData} from './load.js';
import {sensitivity} from './sensitivity.js';
import {aligned, sensitivityCells, tableLines} from './text.js';

const PAGE = 'docs/accuracy.md';
const FACTOR = 1.5;

const usage = `npm run validate -- [--json] [--write] [--sensitivity] [--only CHECK]… [--data FOLDER]

Compares predictions with recorded measurements.

  --json         one JSON document on stdout and nothing else
  --write        write ${PAGE}, with the effect of every wrong constant
  --sensitivity  multiply each cost term by ${FACTOR} and print what moves
  --only CHECK   ${Object.keys(checks).join(', ')}
  --data FOLDER  where the recorded data are [../shared/data]

Examples:
  npm run validate
  npm run --silent validate -- --json > accuracy.json
  npm run validate -- --only vllm-h100 --sensitivity
`;

/** Runs `npm run validate`; returns the exit code. Without the recorded data it says so and ends with 0. */
export async function main(argv: readonly string[]): Promise<number> {
  const {flags, only, folder} = parsed(argv);
  if (flags.has('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  if (!existsSync(folder)) {
    process.stderr.write(`skipped: ${folder} is not there; --data names another folder of recorded data\n`);
    if (flags.has('--json'))
      process.stdout.write(`${JSON.stringify(validationDocument({rows: [], skipped: [`${folder} is not there`]}, null))}\n`);
    return 0;
  }
  const data = validationData(folder);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const result = await validate(data, {...(only.length === 0 ? {} : {only}), onCheck: (name) => say(`checking ${name}`)});
  const wanted = flags.has('--sensitivity') || flags.has('--write');
  const changes = wanted ? await sensitivity(data, FACTOR, (term) => say(`${term} × ${FACTOR}`)) : null;
  if (flags.has('--write')) writeWhole(PAGE, accuracyPage(result, changes!));
  if (flags.has('--json')) process.stdout.write(`${JSON.stringify(validationDocument(result, changes))}\n`);
  else {
    const lines = [...tableLines(result.rows), ...(changes === null ? [] : ['', ...aligned(sensitivityCells(changes))])];
    process.stdout.write(`${lines.join('\n')}\n\nErrors of predictions, per cent; bias is signed.\n`);
    for (const reason of result.skipped) say(`skipped ${reason}`);
  }
  return 0;
}

function parsed(argv: readonly string[]): {flags: Set<string>; only: string[]; folder: string} {
  const flags = new Set<string>();
  const only: string[] = [];
  let folder = '../shared/data';
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i];
    if (word === '--only' || word === '--data') {
      const value = argv[++i];
      if (value === undefined) throw new InputError(`${word} needs a value → npm run validate -- --help`);
      if (word === '--data') folder = value;
      else {
        lookup('check', checks, value);
        only.push(value);
      }
    } else if (['--json', '--write', '--sensitivity', '--help'].includes(word)) flags.add(word);
    else throw new InputError(`unknown argument ${word} → npm run validate -- --help`);
  }
  return {flags, only, folder};
}
