/**
 * The part of the style that draws charts. A saved SVG carries it too, so nothing in it depends on the page around.
 *
 * Colours follow Okabe and Ito (2008), a palette for all kinds of colour vision; darkened for light ground so that each has 3 : 1 against it.
 */
export const chartStyle = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f6f7f9;--ink:#15191f;--soft:#545c68;--rule:#d9dde3;--grid:#e8ebef;
--accent:#0067a5;--good:#00704f;--bad:#b23c00;
--c1:#0072b2;--c2:#c45200;--c3:#007d5a;--c4:#a8488a;--c5:#7a6500;--c6:#5b6470;
--on1:#fff;--on2:#fff;--on3:#fff;--on4:#fff;--on5:#fff;--on6:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#12151a;--raised:#1a1f26;--ink:#e8ebf0;--soft:#a5aeba;--rule:#343b46;--grid:#262c35;
--accent:#6cbcf0;--good:#4fcf9f;--bad:#ff9a5c;
--c1:#56b4e9;--c2:#f0963c;--c3:#2fc193;--c4:#e29bc6;--c5:#e4d447;--c6:#9aa4b1;
--on1:#0d1117;--on2:#0d1117;--on3:#0d1117;--on4:#0d1117;--on5:#0d1117;--on6:#0d1117}}
.plot-svg{overflow:visible;display:block;font:12px/1.2 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
.plot-svg text{fill:var(--soft)}
.marks{overflow:hidden}
.ground{fill:var(--ground)}
.s1{--c:var(--c1);--on:var(--on1)}.s2{--c:var(--c2);--on:var(--on2)}.s3{--c:var(--c3);--on:var(--on3)}
.s4{--c:var(--c4);--on:var(--on4)}.s5{--c:var(--c5);--on:var(--on5)}.s6{--c:var(--c6);--on:var(--on6)}
.grid line{stroke:var(--grid)}
.axis-x line{stroke:var(--rule)}
.axis-title{font-weight:600}
.line{fill:none;stroke:var(--c);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.line.s2{stroke-dasharray:7 3}.line.s3{stroke-dasharray:2 3}.line.s4{stroke-dasharray:9 3 2 3}
.area{fill:var(--c)}
.segment{fill:var(--c);stroke:var(--ground);stroke-width:2;vector-effect:non-scaling-stroke}
.segment.s0{fill:var(--raised);stroke:var(--rule);stroke-width:1}
.plot-svg text.on{fill:var(--on);font-weight:600}
.plot-svg text.on.s0{fill:var(--soft)}
.plot-svg .goal line{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 3}
.plot-svg .goal text,.plot-svg .dot-label{fill:var(--ink)}
.plot-svg .direct{fill:var(--on);font-weight:600}
.plot-svg .goal text,.plot-svg .dot-label{paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}
.quantile{fill:var(--ground);stroke:var(--c);stroke-width:2}
.interval{stroke:var(--c);stroke-width:8;opacity:.28}
.interval.narrow{stroke-width:3;opacity:.9}
.guide{stroke:var(--rule);stroke-width:2;vector-effect:non-scaling-stroke}
.dot{fill:var(--c);stroke:var(--c)}.ring{fill:var(--ground);stroke:var(--c);stroke-width:3}
.reading{stroke:var(--ink);stroke-width:1;pointer-events:none}
.brush{fill:var(--accent);opacity:.18}.rug line{stroke:var(--ink);stroke-width:1.5}
.pillar{fill:var(--soft)}
.tick{stroke:var(--ink);stroke-width:3}
.picked{stroke:var(--ink);stroke-width:3}
.form{fill:none;stroke:var(--c);stroke-width:1.75;stroke-linejoin:round}.form.filled{fill:var(--c)}.form.s0{stroke:var(--soft);stroke-width:1.25}
.picked .form{stroke:var(--ink);stroke-width:3}
.roof{fill:none;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
.band{fill:var(--rule);opacity:.6}
.cloud{fill:none;stroke:var(--c);stroke-width:4;stroke-linecap:round;opacity:.45;vector-effect:non-scaling-stroke}
.front{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 3;vector-effect:non-scaling-stroke}
`.trim();

/** The part of the style that lays the page out. */
export const pageStyle = `
*{box-sizing:border-box}
html{background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;overflow-wrap:break-word}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--ground);color:var(--accent);padding:.5rem 1rem;z-index:5}
.skip:focus{top:.5rem}
header,main,footer,.panels{max-width:62rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2.75rem}
.name{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;align-items:baseline}
h1{font-size:1.15rem;line-height:1.3;font-weight:650;margin:0;overflow-wrap:anywhere}
.badge{font-size:.875rem;color:var(--soft);margin:0}
.badge strong{color:var(--ink)}
.headline,.description{color:var(--soft);font-size:.9375rem;margin:.15rem 0 0;overflow-wrap:anywhere}
.verdict{font-size:1.75rem;line-height:1.25;font-weight:650;letter-spacing:-.012em;margin:1.5rem 0 .25rem;text-wrap:balance;overflow-wrap:anywhere}
.verdict .mark{margin-right:.45em}
.verdict .good{color:var(--good)}.verdict .bad{color:var(--bad)}
.also{font-size:1.0625rem;color:var(--soft);margin:.25rem 0 0;max-width:46rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:1px;border:1px solid var(--rule);border-radius:8px;margin:1.75rem 0 0;padding:0}
.figures>div{box-shadow:0 0 0 1px var(--rule);padding:.9rem 1rem .85rem;min-width:0}
.figures>div:first-child{border-radius:7px 0 0 7px}.figures>div:last-child{border-radius:0 7px 7px 0}
.figures dt{font-size:.8125rem;color:var(--soft)}
.figures dd{margin:.1rem 0 0;font-size:1.5rem;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--soft);line-height:1.4;margin-top:.2rem;white-space:normal}
.bullet{display:block;width:100%;height:10px;margin-top:.4rem;overflow:visible}
.bullet .track{fill:var(--grid)}.bullet .value{fill:var(--c1)}.bullet .over{fill:var(--c2)}.bullet .tick{stroke:var(--ink);stroke-width:2}
.fits{margin:1.25rem 0 0;font-size:.875rem}.fits p{margin:0 0 .35rem}.fits ul{list-style:none;margin:0;padding:0;display:grid;gap:.35rem}
.fits li{display:grid;grid-template-columns:8rem minmax(0,1fr);gap:.1rem .75rem;align-items:center}.fits .parts{grid-column:2;color:var(--soft);font-size:.8125rem;display:flex;flex-wrap:wrap;gap:0 1rem}.fits .swatch{margin-right:.35em}
.warnings{margin:1.25rem 0 0;padding:.75rem 1rem;border-left:3px solid var(--c2);background:var(--raised);font-size:.9375rem}
.warnings p{margin:0 0 .25rem;font-weight:600}
.warnings ul{margin:0;padding-left:1.1rem}
.panels{margin-top:2rem}
.panels ul{list-style:none;margin:0;padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;border-block:1px solid var(--rule);font-size:.875rem}
.panels a{text-decoration:none;display:inline-block;padding:.2rem 0}.panels a:hover{text-decoration:underline}
section{padding-top:2.75rem}
.eyebrow{font-size:.8125rem;font-weight:600;color:var(--accent);margin:0}
h2{font-size:1.3125rem;line-height:1.3;font-weight:650;letter-spacing:-.008em;margin:.1rem 0 .75rem;text-wrap:pretty;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1.75rem 0 .5rem}
section>p{max-width:46rem}
.note{font-size:.875rem;color:var(--soft);margin:.5rem 0 0;max-width:46rem}
figure{margin:1.25rem 0 0}
figcaption{font-size:.9375rem;font-weight:600;margin-bottom:.5rem;overflow-wrap:anywhere}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;margin:0 0 .25rem;padding:0;font-size:.8125rem;color:var(--ink)}
.legend li{display:flex;align-items:center;gap:.45rem}
.plot{position:relative;padding:28px 12px 46px 58px;border-radius:4px}
.plot.items{padding:6px 10px 46px}
.plot.items:has(.axis-y text+text){padding:28px 12px 46px 58px}
.plot.items:has(.bar){padding:2px}.plot.items:has(.pillar){padding:6px 10px 0}
.plot.brushable{touch-action:pan-y;user-select:none}.zoomed .direct,.isolated .direct{display:none}
.legend button{display:flex;align-items:center;gap:.45rem;color:inherit;padding:0}.legend button[aria-pressed=true]{font-weight:650}
.tip{position:absolute;z-index:3;pointer-events:none;background:var(--ground);border:1px solid var(--rule);border-radius:6px;box-shadow:0 2px 10px rgb(0 0 0/.16);padding:.4rem .6rem;font-size:.8125rem;line-height:1.45;font-variant-numeric:tabular-nums;max-width:20rem}
.tip b{display:block}
.tools{display:flex;flex-wrap:wrap;gap:.35rem 1rem;align-items:baseline;margin-top:.35rem;font-size:.8125rem}
.tools .as-table{flex:0 0 auto;max-width:100%;order:1}.tools .as-table[open]{flex-basis:100%;order:2}
button{font:inherit;color:var(--accent);background:none;border:0;padding:.25rem 0;cursor:pointer;text-align:inherit}
button:hover,summary:hover{text-decoration:underline}
summary{cursor:pointer;color:var(--accent);padding:.25rem 0}
.scroll{overflow-x:auto;max-width:100%;margin:.5rem 0}
.as-table .scroll{max-height:24rem;overflow-y:auto}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;min-width:min(100%,30rem)}
section>.scroll>table{width:100%}
th,td{padding:.4rem 1.25rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-weight:600;border-bottom-color:var(--rule);vertical-align:bottom}
thead .number{white-space:normal}
tbody th{font-weight:500}
tbody th code{white-space:nowrap}
.number{text-align:right;white-space:nowrap}
tr.total th,tr.total td{font-weight:650}
th button{color:inherit;font-weight:inherit;padding:0;white-space:nowrap}
th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
.verdicts{list-style:none;margin:.5rem 0;padding:0;max-width:46rem}.verdicts li{padding:.2rem 0 .2rem 1.75em;position:relative}.verdicts li::before{content:attr(data-mark);position:absolute;left:.1em;color:var(--accent);font-weight:650}
.chosen-tools{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;font-size:.9375rem;margin:.25rem 0}.chosen-tools input,.chosen-tools select{font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--soft);border-radius:4px;padding:.2rem .4rem}.chosen-tools input{width:6.5rem}.chosen output{font-weight:600}.chosen .scroll{max-height:20rem;overflow-y:auto}
.own-price{margin:.75rem 0;padding:.75rem 1rem;background:var(--raised);border-radius:6px;font-size:.9375rem}.own-price input{font:inherit;width:6.5rem;color:var(--ink);background:var(--ground);border:1px solid var(--soft);border-radius:4px;padding:.2rem .4rem;margin:0 .75rem 0 .35rem}.own-price output{font-weight:600}
.grade{white-space:nowrap}.grade::before{content:attr(data-mark);display:inline-block;width:1.25em;color:var(--accent)}
.term{text-decoration:underline dotted;text-underline-offset:3px;cursor:help;position:relative}
.definition{display:none;position:absolute;left:0;top:calc(100% + 6px);z-index:4;width:17rem;background:var(--ground);color:var(--ink);border:1px solid var(--rule);border-radius:6px;box-shadow:0 2px 10px rgb(0 0 0/.16);padding:.5rem .7rem;font-size:.8125rem;font-weight:400;line-height:1.45;white-space:normal;text-align:left}
.figures>div:nth-last-child(-n+2) .definition{left:auto;right:0}
.term:hover .definition,.term:focus .definition{display:block}
pre{background:var(--raised);border:1px solid var(--rule);border-radius:6px;padding:.8rem 1rem;overflow:auto;max-height:30rem;font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;margin:.35rem 0;tab-size:2}
pre mark{background:color-mix(in srgb,var(--c1) 18%,transparent);color:inherit;box-shadow:-.35rem 0 0 var(--c1)}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.copyable{position:relative}
.copyable .copy{font-size:.8125rem}
.picker{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:baseline;font-size:.9375rem}
.picker select,.picker input{font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--rule);border-radius:6px;padding:.3rem .5rem;max-width:100%}
.picker span{color:var(--soft);font-size:.875rem}
td small{font-size:.8125rem;color:var(--soft)}
.meanings{list-style:none;margin:.75rem 0 0;padding:0;font-size:.875rem}
.heat caption{text-align:left;font-weight:600;padding-bottom:.4rem}
.heat th,.heat td{padding:.45rem .75rem;border:1px solid var(--ground)}
.heat .none{color:var(--soft)}
.h0{background:var(--raised)}.h1{background:color-mix(in srgb,var(--c1) 14%,var(--ground))}.h2{background:color-mix(in srgb,var(--c1) 24%,var(--ground))}
.h3{background:color-mix(in srgb,var(--c1) 36%,var(--ground))}.h4{background:color-mix(in srgb,var(--c1) 48%,var(--ground))}
.shares{list-style:none;margin:.25rem 0;padding:0;max-width:46rem;font-size:.9375rem}
.shares li{display:grid;grid-template-columns:minmax(6rem,16rem) 1fr 4rem;gap:.25rem 1rem;align-items:center;padding:.15rem 0}
.shares .bullet{margin-top:0}
.shares b{text-align:right;font-weight:600;font-variant-numeric:tabular-nums}
.shares span{overflow-wrap:anywhere}
.greyed{color:var(--soft)}
#points-table .scroll{max-height:36rem;overflow-y:auto}
#points-table td{white-space:nowrap}
code.command{display:inline-block;max-width:22rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom;color:var(--soft)}
footer{margin-top:3.5rem;padding-block:1.25rem 3rem;color:var(--soft);font-size:.8125rem}
footer p{margin:0;border-top:1px solid var(--rule);padding-top:1rem}
@media (max-width:56rem){.figures,.figures>div,.figures>div:first-child,.figures>div:last-child{border-radius:0}}
@media (max-width:40rem){
.fits li{grid-template-columns:minmax(0,1fr)}.fits .parts{grid-column:1}
header,main,footer,.panels{padding-inline:1rem}header{padding-top:1.5rem}
.verdict{font-size:1.375rem}h2{font-size:1.1875rem}section{padding-top:2.25rem}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}.figures>div:nth-child(odd):last-child{grid-column:1/-1}
.figures dd{font-size:1.25rem}
.plot,.plot.items:has(.axis-y text+text){padding-left:50px;padding-right:6px}
.minor text,.wide-only{display:none}
.definition{position:fixed;left:1rem!important;right:1rem!important;top:auto;bottom:1rem;width:auto}
.panels ul{gap:0 1rem}
.shares li{grid-template-columns:minmax(0,7.5rem) 1fr 3.5rem}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{
:root{color-scheme:light}.skip,.zoom,.panels,button,.tip{display:none!important}section{break-inside:auto}figure{break-inside:avoid}
details::details-content{content-visibility:visible!important;block-size:auto!important}.scroll,.as-table .scroll,pre{max-height:none;overflow:visible}table{font-size:.75rem}th,td{padding-right:.7rem}
}
`.trim();
