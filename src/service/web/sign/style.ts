// How signing pages look: the sheet of the dashboard, and what pages of documents need beyond it. Light and dark, from 320
// pixels up, with text of any size; without the script everything is on the page, one thing below the other.
import { STYLE } from '../style.ts';

/** @param faces the addresses of the faces for typed signatures */
export const signStyle = (faces: readonly string[]): string => `${STYLE}
${faces.map((path, index) => `@font-face { font-family: "Hand ${index + 1}"; src: url("${path}"); font-display: block; }`).join('\n')}
${faces.map((_, index) => `.hand-${index + 1} { font-family: "Hand ${index + 1}", cursive; }`).join('\n')}
:root { --page: #ffffff; --mark: #fff3cf; --mark-line: #b8720a; --mark-ink: #5b3a06; --done: #e4f1ea; --done-line: #1d5c48; }
.top > div { max-width: 80rem; gap: .5rem 1.25rem; }
.steps { margin-right: auto; }
.steps ol { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; margin: 0; padding: 0; counter-reset: step; }
.steps li { color: var(--soft); counter-increment: step; font-size: .95rem; }
.steps li::before { content: counter(step) ". "; }
.steps li[aria-current] { color: var(--ink); font-weight: 650; }
.language { display: flex; align-items: center; gap: .5rem; }
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
main.narrow { max-width: 38rem; }
main.wide { max-width: 80rem; padding-top: 1.25rem; }
blockquote { margin: 0 0 1rem; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); white-space: pre-line; }
.files { list-style: none; margin: 0; padding: 0; }
.files li { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; padding: .35rem 0; }

.work { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
.document > h2 { margin: 0 0 .5rem; }
.document + .document { margin-top: 2rem; }
.sheet-of-document { margin: 0 0 1rem; }
.sheet-of-document figcaption { color: var(--soft); font-size: .88rem; padding-top: .3rem; text-align: center; }
.paper { position: relative; background: var(--page); color: #111; box-shadow: 0 1px 5px rgb(0 0 0 / .28); overflow: hidden; }
.paper img { display: block; width: 100%; height: auto; }
.paper svg.over { position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden; }
.words text { fill: transparent; white-space: pre; cursor: text; user-select: text; }
.words ::selection { background: rgb(60 120 220 / .35); fill: transparent; }
.mark rect { fill: var(--mark); fill-opacity: .82; stroke: var(--mark-line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.mark.optional rect { stroke-dasharray: 4 3; }
.mark.filled rect { fill: var(--done); fill-opacity: .55; stroke: var(--done-line); }
.mark.wrong rect { stroke: #a3262a; stroke-width: 2; }
.mark.current rect { stroke-width: 3; }
.mark .label { fill: var(--mark-ink); font-family: system-ui, sans-serif; }
.mark:focus-visible { outline: none; }
.mark:focus-visible rect, .mark:hover rect { stroke-width: 3; }
.panel h2 { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1rem; }
.panel .count { font-weight: 400; color: var(--soft); font-size: .95rem; }
.panel .field { padding: .6rem .75rem; border: 1px solid transparent; border-radius: .5rem; margin: 0 0 .35rem; scroll-margin: 5rem; }
.panel .field:target, .panel .field.current { border-color: var(--accent); background: var(--wash); }
.where { font-weight: 400; color: var(--soft); font-size: .88rem; margin: 0 0 .25rem; }
.optional-mark { font-weight: 400; color: var(--soft); font-size: .88rem; }
.signature-shown { display: block; background: var(--page); color: #111; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; margin: 0 0 .5rem; min-height: 3rem; overflow: hidden; }
.signature-shown img { display: block; max-width: 100%; max-height: 6rem; }
.signature-shown .written { font-size: 1.8rem; line-height: 1.3; }
.options { display: grid; gap: .35rem; }
.options label { display: flex; align-items: center; font-weight: 400; }
.faces { display: grid; gap: .5rem; }
.faces label { display: flex; align-items: center; font-weight: 400; border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .75rem; background: var(--page); color: #111; }
.faces .sample { font-size: 1.7rem; line-height: 1.3; overflow: hidden; }
.review dd { white-space: pre-line; }
.review .signature-shown { display: inline-block; min-width: 12rem; }
.review .row { display: contents; }
.running { white-space: pre-line; }
.mention { color: var(--soft); font-size: .92rem; margin: 0 0 .75rem; }
@media (min-width: 60rem) {
  .work { grid-template-columns: minmax(0, 1fr) 22rem; align-items: start; }
  .panel { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; }
}
@media (forced-colors: active) { .mark rect { fill: Canvas; stroke: CanvasText; } }
`;
