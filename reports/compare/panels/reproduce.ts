import {html} from '../../markup.js';
import {markedYaml} from '../../page/marked-yaml.js';
import {table} from '../../page/table.js';
import {copyable} from '../../panels/reproduce.js';
import type {ComparePanel} from '../panel.js';

/** How to get this comparison again: command, scenarios as resolved, and the hashes of all that went in. */
export const reproduce: ComparePanel = {
  name: 'Reproduce',

  title({document}) {
    return `tiercast ${document.tiercast.version} gives these numbers again, to the last digit.`;
  },

  render({document: {command, labels, results}}) {
    const code = (text: string) => ({markup: html`<code>${text}</code>`, text});
    return html`${copyable('Command', command, 'command')}
${results.map((result, i) => copyable(`${labels[i]!} as resolved`, markedYaml(result.scenario_yaml, result.scenario_chosen), `scenario-${i + 1}`))}
<h3>What went in</h3>
${table({
  caption: 'What went in, with hashes',
  head: [{label: 'what'}, {label: 'SHA-256, or hash of the log'}],
  rows: results.flatMap((result, i) => [
    [`${labels[i]!} as resolved`, code(result.scenario_sha256)],
    ...result.files_in.map((file) => [`${labels[i]!}: file ${file.path}`, code(file.sha256)]),
    [`${labels[i]!}: every step and end of its runs`, code(result.event_log_hash)],
  ]),
})}
<p class="note">All figures: <a href="comparison.csv">comparison.csv</a>, <a href="comparison.json">comparison.json</a>.</p>`;
  },
};
