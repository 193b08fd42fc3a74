/** The look of the page. Colours are those of Okabe and Ito where they carry meaning, so that most colour-blind readers can tell them apart. */
import { CHART_STYLE } from "./chart-style.js";

export const LIGHT = `
--page: #fff; --card: #f6f7f9; --line: #d9dde3; --text: #1b2430; --soft: #5b6675; --accent: #005b94;
--grid: #e6e9ee; --axis: #6b7685; --warn: #8a4b00; --warn-back: #fff6e5; --warn-line: #e8b04a;
--hydro: #0072b2; --source: #7ac36a; --import: #9b59b6; --thermal: #d98200; --deficit: #c4123c; --after: #6b7685;
--thermal0: #f7d58b; --thermal1: #eda52f; --thermal2: #b96a00; --thermal3: #6e3c00;
--other0: #009e73; --other1: #9b59b6; --other2: #56b4e9; --other3: #cc79a7; --other4: #7f8c1f; --other5: #8d6e63;
--water: #00806a; --price: #8a4fb0; --flow: #56687d; --bound: #0072b2; --forward: #d98200;
--solving: #0072b2; --waiting: #e69f00; --moving: #cc79a7; --rest: #9aa4b1; --path-a: #111; --path-b: #d0006f;`;

const DARK = `
--page: #12161c; --card: #1b2129; --line: #343d49; --text: #e7ebf0; --soft: #a3aebb; --accent: #79c0ff;
--grid: #29313b; --axis: #8b97a5; --warn: #ffce80; --warn-back: #2b2112; --warn-line: #a2701a;
--hydro: #4aa8e8; --source: #93d983; --import: #bb86d6; --thermal: #f0a030; --deficit: #ff5c7a; --after: #9aa4b1;
--thermal0: #ffe3a8; --thermal1: #f5b84d; --thermal2: #cf7d1a; --thermal3: #94561a;
--other0: #2fc79a; --other1: #bb86d6; --other2: #7cc9f2; --other3: #e29cc4; --other4: #b0bd4a; --other5: #b3998f;
--water: #35c2a5; --price: #bd8ae0; --flow: #9db0c6; --bound: #4aa8e8; --forward: #f0a030;
--solving: #4aa8e8; --waiting: #f0b030; --moving: #e29cc4; --rest: #6f7a88; --path-a: #fff; --path-b: #ff5cb3;`;

const PAGE = `
*, ::before, ::after { box-sizing: border-box }
html { scroll-padding-top: 5.5rem; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  display: grid; grid-template-columns: 11.5rem minmax(0, 60rem); gap: 2.5rem; justify-content: center; padding: 0 1.25rem }
nav { position: sticky; top: 0; align-self: start; padding: 2.4rem 0; max-height: 100vh; overflow-y: auto; font-size: .92rem }
nav ul { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line) }
nav a { display: block; padding: .22rem .9rem; color: var(--soft); text-decoration: none; border-left: 2px solid transparent; margin-left: -1px }
nav a:hover { color: var(--text) }
nav a.here { color: var(--text); border-left-color: var(--accent) }
main { min-width: 0; padding: 2rem 0 4rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -.01em }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .6rem; letter-spacing: -.005em }
h3 { font-size: 1rem; margin: 0 }
h3.group { margin: 1.8rem 0 .2rem; font-size: 1.08rem }
section { padding-top: 2.6rem }
section > dl + h3, section > .scroll + h3 { margin-top: 1.4rem }
.facts { margin: .2rem 0 1rem; color: var(--soft); font-size: .92rem }
.facts span { white-space: nowrap }
.verdict { font-size: 1.15rem; margin: 0 0 1.2rem; max-width: 46rem }
.lead { color: var(--soft); margin: 0 0 1rem; max-width: 46rem; font-size: .95rem }
.lead.after { margin-top: .8rem }
.sub { color: var(--soft); margin: .1rem 0 .5rem; font-size: .88rem }
.nothing { color: var(--soft); border: 1px dashed var(--line); border-radius: 8px; padding: .8rem 1rem }
code { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem }
.tile { background: var(--card); border-radius: 10px; padding: .8rem 1rem; display: flex; flex-direction: column }
.tile span { color: var(--soft); font-size: .85rem }
.tile strong { font-size: 1.45rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums }
.tile small { color: var(--soft); font-size: .8rem; line-height: 1.35 }
.warnings { margin-top: 1.2rem; padding: .9rem 1.1rem; background: var(--warn-back); border-left: 4px solid var(--warn-line); border-radius: 6px }
.warnings h2 { font-size: 1rem; color: var(--warn); margin: 0 0 .3rem }
.warnings ul { margin: 0; padding-left: 1.1rem }
.warnings li { margin: .3rem 0; font-size: .93rem }
.warnings strong { font-weight: 600 }
.warnings li span { color: var(--soft) }
figure { margin: 0 0 2rem; min-width: 0 }
figcaption p { color: var(--soft); margin: .1rem 0 .3rem; font-size: .88rem; max-width: 46rem }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1.4rem 1.2rem; margin-top: .8rem }
.multiples figure { margin: 0 }
.multiples figcaption { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline }
.multiples figcaption p { margin: 0; font-size: .8rem }
.plot { position: relative; border-radius: 6px; touch-action: pan-y }
.plot:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.plot svg[role] { display: block; width: 100%; height: auto; overflow: visible }
.plot .inside { overflow: hidden }
.narrow, .log { display: none }
figure:has(.log-switch:checked) .log { display: block }
figure:has(.log-switch:checked) .linear { display: none }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .4rem 0; padding: 0; font-size: .84rem; color: var(--soft) }
.legend svg { margin-right: .4rem; vertical-align: -1px; overflow: visible }
.switch { font-size: .88rem; color: var(--soft) }
p.switch { display: flex; gap: .8rem; align-items: center; margin: 0 0 .4rem }
p.switch label { display: flex; gap: .6rem; align-items: center; flex: 0 1 24rem }
p.switch input { flex: 1; min-width: 6rem }
select { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .15rem .4rem; max-width: 100% }
.search input { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem; margin-left: .4rem }
.live, p.live { display: none }
.js .live { display: block }
.js p.live { display: flex }
details.numbers { font-size: .84rem; color: var(--soft) }
.tools { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .84rem; margin-top: .1rem }
.tools details { min-width: 0 }
.tools details[open] { order: 1; flex: 1 1 100% }
summary { cursor: pointer; width: fit-content }
summary:hover, .tools button:hover { color: var(--text) }
.tools button { all: unset; cursor: pointer; color: var(--soft) }
.tools button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.scroll { overflow-x: auto; max-height: 26rem; overflow-y: auto; max-width: 100% }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .84rem; color: var(--text) }
caption { text-align: left; color: var(--soft); padding: .2rem 0; font-size: .84rem }
th, td { padding: .22rem .7rem .22rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); font-weight: 400 }
thead th { color: var(--soft); position: sticky; top: 0; background: var(--page); vertical-align: bottom; white-space: normal; min-width: 4.5rem }
thead th:first-child, tbody th { text-align: left }
th small { display: block; font-size: .9em }
.facts-table { margin: 0 0 2rem }
h3 .of { color: var(--soft); font-weight: 400 }
.facts-table .exact { color: var(--soft) }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem 2.5rem }
.shares { width: 100%; font-size: .88rem }
.shares th { width: 1%; padding-right: .8rem }
.shares .bar { width: 60%; padding-right: .8rem }
.shares td { border-bottom: 0 }
.shares th { border-bottom: 0 }
.shares svg { display: block; width: 100%; height: 12px }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .1rem 1.6rem; margin: .3rem 0 1.2rem; font-size: .88rem }
dl div { display: flex; gap: .8rem; justify-content: space-between; border-bottom: 1px solid var(--grid); padding: .2rem 0 }
dl div:has(code) { grid-column: 1 / -1 }
dt { color: var(--soft); white-space: nowrap }
dd { margin: 0; text-align: right }
footer { margin-top: 3rem; color: var(--soft); font-size: .84rem; border-top: 1px solid var(--line); padding-top: .8rem }
.explorer { position: sticky; top: 0; z-index: 5; background: var(--page); border-bottom: 1px solid var(--line); padding: .55rem 0; margin-top: 1.6rem; font-size: .88rem }
.explorer > div { display: flex; flex-wrap: wrap; gap: .3rem .9rem; align-items: center }
.explorer > div[hidden] { display: none }
.explorer label { display: flex; gap: .6rem; align-items: center; flex: 1 1 14rem; max-width: 24rem }
.explorer label span { min-width: 4.3rem; font-weight: 600 }
.explorer .one label span { color: var(--path-a) }
.explorer .other label span { color: var(--path-b) }
.explorer input { flex: 1; min-width: 5rem; accent-color: var(--accent) }
.explorer output { min-width: 15rem; color: var(--soft); font-variant-numeric: tabular-nums }
.jumps { display: flex; flex-wrap: wrap; gap: .35rem }
.jumps button { font: inherit; font-size: .82rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .1rem .5rem; cursor: pointer }
.jumps button:hover { border-color: var(--soft) }
#tip { position: absolute; z-index: 9; pointer-events: none; background: var(--page); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 4px 14px rgb(0 0 0 / .16); padding: .45rem .65rem; font-size: .8rem; max-width: 17rem; line-height: 1.4 }
#tip b { display: block }
#tip div { display: flex; justify-content: space-between; gap: 1rem; font-variant-numeric: tabular-nums }
#tip div span:first-child { color: var(--soft) }
#tip .a { color: var(--path-a); font-weight: 600 }
#tip .b { color: var(--path-b); font-weight: 600 }
#tip .a span:first-child, #tip .b span:first-child { color: inherit }
@media (max-width: 62rem) {
  body { display: block; padding: 0 1rem }
  nav { position: static; padding: 1rem 0 0; max-height: none }
  nav ul { display: flex; flex-wrap: wrap; border: 0; gap: .1rem .9rem }
  nav a { padding: .1rem 0; border: 0 }
  main { padding-top: 1rem }
}
@media (max-width: 40rem) {
  .wide { display: none }
  .narrow { display: block }
  h1 { font-size: 1.6rem }
  .tiles { grid-template-columns: 1fr 1fr }
  .tile { padding: .6rem .75rem }
  .tile strong { font-size: 1.2rem }
  .explorer { position: fixed; inset: auto 0 0; border-top: 1px solid var(--line); border-bottom: 0; padding: .45rem 1rem .55rem; box-shadow: 0 -2px 10px rgb(0 0 0 / .08) }
  .js main { padding-bottom: 9rem }
  .explorer label { max-width: none; flex: 1 1 100% }
  .explorer output { min-width: 0; flex: 1 1 100%; order: 3; font-size: .8rem }
  .jumps { flex-wrap: nowrap; gap: .25rem }
  .jumps button { font-size: .78rem; padding: .15rem .38rem }
  .facts-table td:nth-child(2), .facts-table th:nth-child(2) { display: none }
  .facts-table { font-size: .78rem }
  html { scroll-padding-top: 1rem }
}`;

const PRINT = `
@page { size: A4; margin: 14mm }
@media print {
  :root { ${LIGHT} color-scheme: light }
  html { font-size: 12px }
  body { display: block; padding: 0; font-size: 1rem; line-height: 1.4 }
  h1 { font-size: 1.6rem }
  figure { margin-bottom: 1rem }
  nav, .switch, .live, .js .live, .js p.live, .tools, details.numbers, #tip { display: none !important }
  .wide { display: block }
  .narrow { display: none }
  main { padding: 0 }
  section { padding-top: 1rem }
  section > h2, h3.group { break-after: avoid }
  figure, .pair > div, .tile, dl div { break-inside: avoid }
  .multiples { grid-template-columns: 1fr 1fr }
  .tiles { grid-template-columns: repeat(4, 1fr) }
  .scroll { max-height: none; overflow: visible }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}`;

export const STYLE = `:root {${LIGHT} color-scheme: light dark }
@media (prefers-color-scheme: dark) { :root {${DARK} } }
${PAGE}${CHART_STYLE}${PRINT}`;
