// The style of signing pages: the sheet of the dashboard, and what pages of documents need beyond it. Light and dark, from 320
// pixels up, with text of any size; without the script everything is on the page, one thing below the other.
import { STYLE } from '../style.ts';

/** @param faces the addresses of the faces for typed signatures, by name */
export const signStyle = (faces: ReadonlyMap<string, string>): string => `${STYLE}
${[...faces].map(faceRules).join('\n')}
:root { --page: #ffffff; --mark: #fff3cf; --mark-line: #b8720a; --mark-ink: #5b3a06; --done: #e4f1ea; --done-line: #1d5c48; --mark-focus: #0b57d0; }
.top > div { max-width: 80rem; gap: .5rem 1.25rem; }
.steps { margin-right: auto; }
.steps ol { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; margin: 0; padding: 0; counter-reset: step; }
.steps li { color: var(--soft); counter-increment: step; font-size: .95rem; }
.steps li::before { content: counter(step) ". "; }
.steps li[aria-current] { color: var(--ink); font-weight: 650; }
.sender { color: var(--soft); font-size: .95rem; margin: 0 0 1rem; }
.sender b { color: var(--ink); font-weight: 650; }
.title { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: flex-start; margin: 0 0 .75rem; }
.title h1 { flex: 1 1 14rem; min-width: 0; }
.title .danger { padding: .3rem .8rem; font-size: .9rem; }
.actions > .apart { margin-inline-start: auto; }
.foot { border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
.foot p { max-width: 80rem; margin: 0 auto; padding: 1rem; text-align: center; }
.foot a { color: inherit; white-space: nowrap; }
.language { display: flex; align-items: center; gap: .5rem; margin-inline-start: auto; }
.language label { font-weight: 400; color: var(--soft); font-size: .9rem; margin: 0; }
.language select { width: auto; padding: .3rem .5rem; font-size: .9rem; }
select, textarea { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; padding: .55rem .7rem; }
textarea { min-height: 5.5rem; resize: vertical; }
select[aria-invalid], textarea[aria-invalid] { border: 2px solid var(--alarm); }
input[type="checkbox"], input[type="radio"] { width: 1.25rem; height: 1.25rem; margin: 0 .6rem 0 0; accent-color: var(--accent); flex: none; }
input[type="file"] { padding: .4rem; }
button.small, .button.small { padding: .3rem .7rem; font-size: .9rem; }
.check { display: flex; align-items: flex-start; font-weight: 400; }
.check input { margin-top: .15rem; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .2rem; }
main.narrow { max-width: 38rem; padding-top: 1.5rem; }
main.narrow .sheet { margin-bottom: 1rem; }
main.wide { max-width: 80rem; padding-top: 1.25rem; }
blockquote { margin: 0 0 1rem; padding-block: .1rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); white-space: pre-line; }
.files { list-style: none; margin: 0; padding: 0; }
.files li { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; padding: .35rem 0; }
dd .files li { padding: 0; }

.work { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
.document > h2 { margin: 0 0 .5rem; }
.document + .document { margin-top: 2rem; }
.sheet-of-document { margin: 0 0 1rem; }
.sheet-of-document figcaption { color: var(--soft); font-size: .88rem; padding-top: .3rem; text-align: center; }
.paper { position: relative; background: var(--page); color: #111; box-shadow: 0 1px 5px rgb(0 0 0 / .28); overflow: hidden; }
.paper img { position: absolute; inset: 0; width: 100%; height: 100%; }
.paper svg.over { position: relative; display: block; width: 100%; height: auto; overflow: hidden; }
.room { fill: none; }
.words text { fill: transparent; white-space: pre; cursor: text; user-select: text; }
.words ::selection { background: rgb(60 120 220 / .35); fill: transparent; }
.mark > rect { fill: var(--mark); fill-opacity: .82; stroke: var(--mark-line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.mark.optional > rect { stroke-dasharray: 4 3; }
.mark.filled > rect { fill: var(--done); fill-opacity: .55; stroke: var(--done-line); }
.mark.wrong > rect { stroke: #a3262a; stroke-width: 2; }
.mark .label { fill: var(--mark-ink); font-family: system-ui, sans-serif; }
.mark .call { font-weight: 650; }
.mark:focus-visible { outline: none; }
.mark:focus-visible > rect, .mark:hover > rect { stroke-width: 3; }
.panel h2 { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1rem; }
.panel .count { font-weight: 400; color: var(--soft); font-size: .95rem; }
.panel .field { padding: .6rem .75rem; border: 1px solid transparent; border-radius: .5rem; margin: 0 0 .35rem; scroll-margin: 5rem; }
.panel .field:target, .panel .field.current { border-color: var(--accent); background: var(--wash); }
p.label { font-weight: 600; margin: 0 0 .2rem; }
.statement { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
.where { font-weight: 400; color: var(--soft); font-size: .88rem; margin: 0 0 .25rem; }
.optional-mark { font-weight: 400; color: var(--soft); font-size: .88rem; }
.signature-shown { display: block; background: var(--page); color: #111; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; margin: 0 0 .5rem; min-height: 3rem; overflow: hidden; }
.signature-shown svg { display: block; max-width: 100%; max-height: 8rem; }
.signature-shown img { display: block; max-width: 100%; max-height: 6rem; }
.signature-shown .written { font-size: 1.8rem; line-height: 1.3; }
.options { display: grid; gap: .35rem; }
.options label { display: flex; align-items: center; font-weight: 400; }
.faces { display: grid; gap: .5rem; }
.faces label { display: flex; align-items: center; font-weight: 400; border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .75rem; background: var(--page); color: #111; }
.faces .sample { font-size: 1.7rem; line-height: 1.3; overflow: hidden; padding-inline: .35em; }
.review { row-gap: .9rem; }
.review dt .where { display: block; margin: 0; }
.review dd { white-space: pre-line; }
.review .signature-shown { display: inline-block; min-width: 12rem; max-width: 100%; vertical-align: middle; }
.review .row { display: contents; }
.running { white-space: pre-line; }
.mention { color: var(--soft); font-size: .92rem; margin: 0 0 .75rem; }
.unshown { border: 1px solid var(--mark-line); border-radius: .6rem; background: var(--sheet); padding: 1rem 1rem .75rem; margin: 0 0 1rem; }
.unshown h2, .unshown h3 { font-size: 1.1rem; margin: 0 0 .4rem; }
.unshown p { margin: 0 0 .5rem; }
.unshown blockquote { margin: 0 0 .75rem; border-color: var(--mark-line); overflow-wrap: anywhere; }
.unshown .scrolled { max-height: 13.4rem; overflow-y: auto; }
.unshown .field { margin: .75rem 0 .25rem; }
.unseen { position: absolute; left: -999rem; }
.mark.empty .value, .mark.filled .blank { display: none; }
.mark.changing .value, .mark.changing .blank { opacity: .3; }
.mark { cursor: pointer; }
.zoom { display: flex; align-items: center; gap: .25rem; }
.zoom button { min-width: 2.4rem; padding-inline: .4rem; border-color: var(--line); color: var(--ink); }
.zoom [data-zoom-fit] { min-width: 4.2rem; font-weight: 400; }
[aria-disabled="true"], button:disabled { opacity: .5; cursor: default; filter: none; }
[data-today] { margin-top: .35rem; }
[hidden] { display: none !important; }

.guide { z-index: 2; background: var(--sheet); }
.guide p { margin: 0; }
.guide progress { appearance: none; display: block; width: 100%; height: 4px; border: 0; background: var(--line); }
.guide progress::-webkit-progress-bar { background: var(--line); }
.guide progress::-webkit-progress-value { background: var(--accent); transition: width .25s; }
.guide progress::-moz-progress-bar { background: var(--accent); }
.standing { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; min-width: 0; }
.standing [data-count] { font-weight: 650; }
.kept { color: var(--soft); font-size: .9rem; }
.unkept { color: var(--alarm); font-weight: 600; font-size: .9rem; }
.steering { display: flex; gap: .5rem; align-items: center; }
.steering [data-previous] { padding-inline: 1rem; font-size: 1.15rem; line-height: 1.08; }
.steering [data-next] { min-width: 9rem; }
.guided h2 .count { display: none; }

.scripted { scroll-padding-bottom: calc(var(--covered, 0px) + var(--keyboard, 0px) + 1rem); }
.scripted main.wide { padding-bottom: 2rem; }
.scripted body { padding-bottom: var(--covered, 0px); }
.guided > .actions button { background: transparent; color: var(--accent); }
.scripted .sheet-of-document { width: calc(100% * var(--zoom, 1)); margin-inline: auto; }
.documents { min-width: 0; }
.documents.zoomed { overflow-x: auto; padding: 0 5px 5px; margin: 0 -5px; }
.mark.wrong { font: inherit; }
.mark.current > rect { stroke: var(--mark-focus); stroke-width: 2.5; stroke-dasharray: none; }
.mark.current.empty rect { fill-opacity: 1; }

dialog.signing { width: min(36rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 1.5rem); overflow: auto; padding: 1.25rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--sheet); color: var(--ink); box-shadow: 0 1rem 3rem rgb(0 0 0 / .35); }
dialog.signing::backdrop { background: rgb(10 14 18 / .55); }
dialog.signing h2 { font-size: 1.25rem; margin-bottom: .25rem; }
dialog.signing .lead { font-size: .95rem; margin-bottom: 1rem; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 .25rem; border-bottom: 1px solid var(--line); margin: 0 0 1rem; }
.tabs button { flex: 0 1 auto; font-size: .92rem; background: none; border: 0; border-bottom: 3px solid transparent; border-radius: 0; color: var(--soft); padding: .6rem clamp(.3rem, 1.6vw, .8rem); }
.faces label { color-scheme: light; }
.panel .field .actions { margin-top: .5rem; flex-wrap: nowrap; }
.tabs button[aria-selected="true"] { color: var(--ink); border-bottom-color: var(--accent); }
.tabbed legend { display: none; }
.pad { display: block; width: 100%; aspect-ratio: 5 / 2; background: var(--page); border-radius: .5rem; outline: 1px solid var(--line); touch-action: none; cursor: crosshair; background-image: linear-gradient(#9aa3b0, #9aa3b0); background-repeat: no-repeat; background-size: 88% 1px; background-position: 50% 76%; }
.pad + .actions { margin-top: .6rem; justify-content: flex-end; }
.preview { display: block; max-width: 100%; margin-top: .75rem; background: var(--page); border: 1px solid var(--line); border-radius: .4rem; }
.preview[hidden] { display: none; }
@media (max-height: 34rem) {
  .pad { width: min(100%, 90vh); margin-inline: auto; }
  dialog.signing { padding-block: .75rem 0; }
  dialog.signing form > .actions:last-child { position: sticky; bottom: 0; margin: 0; padding-block: .5rem .75rem; background: var(--sheet); }
}
@media (pointer: coarse) {
  .tabs button, .steering button, .zoom button { min-height: 2.75rem; }
  .options label, .check { min-height: 2.5rem; align-items: center; }
}

@media (min-width: 60rem) {
  .work { grid-template-columns: minmax(0, 1fr) 22rem; align-items: start; }
  .panel { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; }
  .scripted .panel { max-height: calc(100vh - 2rem - var(--covered, 0px)); }
  .guide { position: fixed; inset: auto 0 0; border-top: 1px solid var(--line); box-shadow: 0 -2px 10px rgb(0 0 0 / .08); display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 1.5rem; padding-bottom: env(safe-area-inset-bottom); }
  .guide progress { grid-column: 1 / -1; }
  .guide > p { padding: .6rem max(1rem, calc((100vw - 80rem) / 2 + 1rem)); }
  .standing { padding-inline-end: 0 !important; }
  .steering { padding-inline-start: 0 !important; }
  .steering .all { display: none; }
}
@media (min-width: 60rem) and (min-height: 40rem) {
  .scripted .top:has(.zoom) { position: sticky; top: 0; z-index: 3; }
  .scripted .panel { top: 4.5rem; max-height: calc(100vh - 5.5rem - var(--covered, 0px)); }
}
@media (max-width: 59.99rem) {
  .panel.guided { position: fixed; inset: auto 0 var(--keyboard, 0px); z-index: 2; margin: 0; padding: 0; border: 0; border-radius: 1rem 1rem 0 0; box-shadow: 0 -2px 18px rgb(0 0 0 / .28); max-height: min(85dvh, calc(100dvh - var(--keyboard, 0px) - 3rem)); display: flex; flex-direction: column; overflow: hidden; }
  .guided:not(.all) > h2, .guided > .actions, .guided:not(.all) .field:not(.current) { display: none; }
  .guided > h2 { padding: 1rem 1rem 0; margin: 0; }
  .guided #controls { overflow: auto; overscroll-behavior: contain; padding: 0 .25rem; }
  .guided.all #controls { padding: .75rem .25rem; }
  .guided:not(.all) .field.current { background: none; border-color: transparent; margin: 0; padding-block: .9rem .4rem; max-height: 55dvh; }
  .guide { flex: none; order: 1; display: grid; gap: .5rem; padding-bottom: calc(.75rem + env(safe-area-inset-bottom)); }
  .guide > p { padding-inline: 1rem; }
  .steering { flex-wrap: wrap; overflow-wrap: break-word; }
  .steering [data-next] { flex: 1; min-width: min-content; }
  .steering .all { padding-inline: .8rem; }
  .top > div { gap: .25rem .5rem; padding-block: .45rem; }
  .steps { flex: 1 1 4.5rem; min-width: 0; }
  .steps li { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .steps li[aria-current] { position: static; width: auto; height: auto; clip-path: none; text-overflow: ellipsis; }
  .steps li[aria-current]::before { content: counter(step) "/3 "; }
  .language { margin-inline-start: 0; }
  .language select { max-width: 6.5rem; }
  .language label { position: absolute; left: -999rem; }
  .zoom [data-zoom-fit] { min-width: 3.6rem; }
  .pad + .actions button { width: auto; }
}
@media (max-width: 30rem) {
  .zoom [data-zoom-fit] { display: none; }
  .title .danger { width: auto; }
  .actions > .apart { margin-top: .75rem; }
  .review { row-gap: .1rem; }
}
@media (prefers-reduced-motion: reduce) { .guide progress::-webkit-progress-value { transition: none; } }
@media (forced-colors: active) {
  .mark > rect { fill: Canvas; stroke: CanvasText; }
  .mark.current > rect { stroke: Highlight; }
  .tabs button[aria-selected="true"] { border-bottom-color: Highlight; }
  .guide progress { border: 1px solid CanvasText; }
}
`;

const faceRules = ([name, path]: readonly [string, string]): string =>
  `@font-face { font-family: "${name}"; src: url("${path}"); font-display: block; }
.${name} { font-family: "${name}", cursive; }`;
