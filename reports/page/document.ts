import {html, type Markup, raw} from '../markup.js';
import {chartStyle, pageStyle} from './style.js';

/** What a page is made of beside the report: its script, and a hash function, which the browser and Node spell differently. */
export interface PageParts {
  /** The bundled page script. It may hold `</script` only if escaped. */
  readonly script: string;
  /** SHA-256 of the UTF-8 text, base64. */
  sha256(text: string): string;
}

/** What marks a file as a page of ours, which may be replaced. */
export const pageMark = '<meta name="generator" content="tiercast">';

/**
 * One self-contained page. The security policy lets it run its own script and style, known by their hashes, show data images, and nothing else:
 * no request leaves it, whatever the scenario's texts contain.
 */
export function pageDocument({script, sha256}: PageParts, title: string, body: Markup): string {
  if (/<\/script|<!--/i.test(script)) throw new Error('the page script contains "</script" or "<!--"; bundle it so that neither appears');
  const hash = (text: string) => `'sha256-${sha256(text)}'`;
  const policy = `default-src 'none'; style-src ${hash(chartStyle)} ${hash(pageStyle)}; script-src ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${raw(pageMark)}
<title>${title}</title>
<style id="chart-style">${raw(chartStyle)}</style>
<style>${raw(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the charts</a>
${body}
<div id="spoken" class="unseen" role="status" aria-live="polite"></div>
<script>${raw(script)}</script>
</body>
</html>
`}`;
}
