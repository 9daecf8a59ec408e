import {count, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type CalibrationView, decimal, errorShare} from './view.js';

/** The head of the page: grade and why in one sentence, then at most five figures. */
export function head(view: CalibrationView): Markup {
  const {id, name, grade, reasons} = view;
  const why = reasons.slice(0, 2).join('; ');
  return html`<header>
<div class="name"><h1>${name}</h1><p class="badge">${id}${view.extends === null ? null : ` · extends ${view.extends}`} · tiercast calibrate show</p></div>
<p class="verdict">${unbroken(`Grade ${grade}: ${why === '' ? 'nothing is said of its quality' : why}.`)}</p>
${reasons.slice(2).map((text) => html`<p class="also">${unbroken(`${text[0]!.toUpperCase()}${text.slice(1)}.`)}</p>`)}
<dl class="figures">${figures(view)}</dl>
</header>`;
}

function figures({ops, figures: stated, inherited}: CalibrationView): Markup[] {
  const known = ops.filter(({error}) => error !== null).sort((a, b) => a.error!.mape - b.error!.mape);
  const points = known.reduce((sum, {error}) => sum + error!.n, 0);
  const middle = known[Math.floor((known.length - 1) / 2)];
  const worst = known.at(-1);
  const gemm = ops.find(({op}) => op === 'gemm.bf16') ?? ops.find(({kind}) => kind === 'compute');
  const memory = stated.find(({kind}) => kind === 'memory');
  return [
    entry(
      'Kernels fitted',
      count(ops.length),
      `${points > 0 ? `from ${count(points)} measurements` : ''}${inherited.length > 0 ? `${points > 0 ? '; ' : ''}${count(inherited.length)} more inherited` : ''}`,
    ),
    ...(middle === undefined ? [] : [entry('Median mean error', errorShare(middle.error!.mape), 'of the kernels, in cross-validation')]),
    ...(worst === undefined ? [] : [entry('Worst mean error', errorShare(worst.error!.mape), worst.op)]),
    ...(gemm === undefined || gemm.of_peak === null ? [] : [entry('Of the roof', errorShare(gemm.of_peak), `${gemm.op} at its best`)]),
    ...(memory === undefined ? [] : [entry('Memory', decimal('B/s')(memory.value), `${memory.name}, ${memory.grade}`)]),
  ];
}

function entry(label: string, value: string, below: string): Markup {
  return html`<div><dt>${label}</dt><dd>${value}<small>${below}</small></dd></div>\n`;
}
