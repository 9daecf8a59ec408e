import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {html, type Markup} from '../markup.js';
import {markedYaml} from '../page/marked-yaml.js';
import {table} from '../page/table.js';
import type {Panel} from './panel.js';

/** How to get this result again: command, scenario as resolved, and the hashes of all that went in. */
export const reproduce: Panel = {
  name: 'Reproduce',
  needs: [],

  title({document}) {
    return `tiercast ${document.tiercast.version} gives these numbers again, to the last digit.`;
  },

  render({document}) {
    return html`${copyable('Command', document.command, 'command')}
${copyable('Scenario as resolved', markedYaml(document.scenario_yaml, document.scenario_chosen), 'scenario')}
${document.scenario_chosen.length === 0 ? null : html`<p class="note">Marked: what the scenario sets otherwise than the default. The rest is defaults.</p>`}
<h3>What went in</h3>
${hashes(document)}
<p class="note">The same scenario, seed, profile and version of tiercast give the same bytes.${files(document)}</p>`;
  },
};

/** A block of text under a title, with a button that copies it. */
export function copyable(title: string, text: string | Markup, id: string): Markup {
  return html`<div class="copyable"><h3>${title}</h3><pre id="${id}" tabindex="0" role="group" aria-label="${title}">${text}</pre></div>`;
}

function hashes({scenario_sha256, event_log_hash, files_in, profiles}: ResultDocument): Markup {
  const code = (text: string) => ({markup: html`<code>${text}</code>`, text});
  return table({
    caption: 'What went in, with hashes',
    head: [{label: 'what'}, {label: 'SHA-256, or name'}],
    rows: [
      ['scenario as resolved', code(scenario_sha256)],
      ...files_in.map((f) => [`file ${f.path}`, code(f.sha256)]),
      ...profiles.map((p) => [`profile ${p.id}`, `${p.engine}, ${p.grade}`]),
      ['every step and end of the run', code(event_log_hash)],
    ],
  });
}

function files({files: {requests, timeline}}: ResultDocument): Markup {
  const link = (name: string) => (/^[\w.-]+$/.test(name) ? html`<a href="${name}">${name}</a>` : html`${name}`);
  return html` All requests and intervals: ${requests === null ? null : html`${link(requests)}, `}${link(timeline)}.`;
}
