import {describe, expect, it} from 'vitest';
import {embeddedJson, escaped, html, raw} from '../../reports/markup.js';

const attack = '</script><img src=x onerror=alert(1)>';

describe('html', () => {
  it('escapes every value that is not markup', () => {
    expect(html`<p title="${'"\'&'}">${attack}</p>`.text).toBe(
      '<p title="&quot;&#39;&amp;">&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</p>',
    );
  });

  it('keeps markup, joins lists, and leaves out null and false', () => {
    expect(html`<ul>${['a<', 'b'].map((x) => html`<li>${x}</li>`)}${null}${false}</ul>${raw('<br>')}${3}`.text).toBe(
      '<ul><li>a&lt;</li><li>b</li></ul><br>3',
    );
  });

  it('does not let a string pose as markup', () => {
    const posing = {text: '<b>', toString: () => '<b>'} as unknown as string;
    expect(() => html`${posing}`).toThrow();
  });
});

it('replaces characters that no XML file may hold', () => {
  expect(escaped('a\u0000b\u001Fc\td')).toBe('a\uFFFDb\uFFFDc\td');
});

it('embeds JSON in which no text can end the script block, and which reads back equal', () => {
  const {text} = embeddedJson({name: `${attack}<!--\u2028`});
  expect(text).not.toContain('<');
  expect(text).not.toContain('\u2028');
  expect(JSON.parse(text)).toEqual({name: `${attack}<!--\u2028`});
});
