// The style of the editor of fields: the sheet of the dashboard, pages of documents, and what is placed on them. From 320 pixels up.
import { STYLE } from '../style.ts';

export const EDITOR_STYLE = `${STYLE}
:root { --guide: #c026d3; --chosen: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --chosen: #8ab4ff; } }
main.wide { max-width: none; padding: 0 1rem 1rem; }
.top > div { max-width: none; }
input[type=checkbox] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); flex: none; }
.title { display: flex; flex-wrap: wrap; gap: .35rem 1rem; align-items: center; padding: .6rem 0; }
.title h1 { flex: 1 1 14rem; min-width: 0; font-size: 1.15rem; margin: 0; }
.title p { margin: 0; }
.title .note { flex: 1 0 100%; color: var(--soft); font-size: .92rem; }
.bar { display: flex; gap: .5rem 1rem; align-items: center; justify-content: flex-end; }
.bar .button { padding: .5rem 1.2rem; }
.tools { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; }
.bar .tools { justify-content: flex-end; }
.tools .saving { color: var(--soft); font-size: .9rem; min-width: 5rem; text-align: end; }
.tools .saving.alarm { color: var(--alarm); font-weight: 600; }
.icon { flex: none; width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }
.bar .small { display: inline-flex; gap: .4rem; align-items: center; }
button.small, .button.small { padding: .3rem .65rem; font-size: .9rem; background: var(--sheet); color: var(--ink); border-color: var(--line); font-weight: 500; }
button.small:hover { border-color: var(--soft); filter: none; }
button[disabled] { opacity: .45; cursor: default; }
.work { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.pages h2 { margin: 0 0 .5rem; }
.sheet-of-document { margin: 0 0 1.25rem; scroll-margin: 1rem; }
.sheet-of-document figcaption { color: var(--soft); font-size: .88rem; padding-top: .3rem; text-align: center; }
.paper { position: relative; background: #ffffff; color: #111; box-shadow: 0 1px 5px rgb(0 0 0 / .28); }
.paper img { position: absolute; inset: 0; width: 100%; height: 100%; user-select: none; }
.paper svg.over { position: relative; display: block; width: 100%; height: auto; overflow: visible; }
.placing .paper svg.over { cursor: crosshair; }
svg.over .box { fill-opacity: .18; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
svg.over a .box { fill: #1d5c48; stroke: #1d5c48; }
svg.over .number, svg.over .label text { fill: #111; font-family: system-ui, sans-serif; }
svg.over .label { pointer-events: none; overflow: hidden; }
.field-box { cursor: move; touch-action: none; }
.field-box:focus, .suggestion:focus { outline: none; }
.field-box.selected .box { stroke: #0b57d0; stroke-width: 2.5; fill-opacity: .32; }
.field-box:focus-visible .box { stroke: #0b57d0; stroke-width: 4; }
.field-box.wrong .box { stroke: #a3262a; stroke-width: 3; stroke-dasharray: 5 3; }
.field-box .handle { fill: #ffffff; stroke: #0b57d0; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.field-box .reach { fill: transparent; }
.top-left, .bottom-right { cursor: nwse-resize; }
.top-right, .bottom-left { cursor: nesw-resize; }
.guides line { stroke: var(--guide); stroke-width: 1; vector-effect: non-scaling-stroke; }
.frame { fill: #0b57d0; fill-opacity: .08; stroke: #0b57d0; stroke-width: 1; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
.suggestion { cursor: pointer; }
.suggestion .box { fill: #0b57d0; stroke: #0b57d0; fill-opacity: .05; stroke-dasharray: 4 3; }
.suggestion:hover .box, .suggestion:focus-visible .box { fill-opacity: .2; stroke-width: 3; }
.suggestion text { fill: #0b57d0; font-family: system-ui, sans-serif; pointer-events: none; }
.placing .suggestion { pointer-events: none; }
.suggestions [hidden] { display: none; }
.suggestions ul button { width: 100%; text-align: start; margin-bottom: .25rem; }
.suggestions .search { margin: .75rem 0 0; }
.suggestions .search input { flex: 1 1 8rem; min-width: 0; }
.side { min-width: 0; }
.scripted .side { display: flex; flex-direction: column; }
.scripted .side > * { flex: none; }
.scripted .properties:not(.of-field) { order: 1; }
.panel-head { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
.side .sheet, .palette { padding: 1rem; margin-bottom: 1rem; }
.side h2, .palette h2 { font-size: 1rem; margin-bottom: .5rem; }
.side .field { margin-bottom: .75rem; }
.side label { font-size: .92rem; }
.side input:not([type=checkbox]), .side textarea { padding: .35rem .55rem; }
.side .two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 .75rem; }
.side ol, .side ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
.side ol button, .side ol a { display: flex; gap: .5rem; align-items: baseline; width: 100%; text-align: start; padding: .35rem .5rem; border: 1px solid transparent; border-radius: .35rem; background: none; color: inherit; font-weight: 400; font-size: .94rem; text-decoration: none; }
.side ol button:hover, .side ol a:hover { background: var(--wash); filter: none; }
.side ol button[aria-pressed=true] { background: var(--wash); border-color: var(--accent); }
.side ol .alarm { color: var(--alarm); }
.choices-of-party { display: grid; gap: .25rem; margin: 0 0 .75rem; }
.choices-of-party label { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin: 0; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: .35rem; cursor: pointer; }
.choices-of-party label:has(:checked) { border-color: var(--accent); background: var(--wash); font-weight: 600; }
.palette .choices-of-party label { font-size: .92rem; line-height: 1.3; }
.choices-of-party input { accent-color: var(--accent); margin: 0; width: auto; }
.types { display: grid; gap: .1rem; }
.types button { display: flex; gap: .6rem; align-items: center; padding: .4rem .5rem; font-size: .94rem; background: none; color: var(--ink); border-color: transparent; font-weight: 500; text-align: start; }
.types button:hover { background: var(--wash); filter: none; }
.types button[aria-pressed=true] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.types button .icon { color: var(--accent); }
.types button[aria-pressed=true] .icon { color: inherit; }
.types .new-group { margin-top: .6rem; }
.palette .hint { margin: .5rem 0 0; }
.palette .hint:empty { margin: 0; }
.alignments { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.2rem, 1fr)); gap: .35rem; }
.alignments button { padding: .45rem .4rem; font-size: .92rem; background: var(--paper); color: var(--ink); border-color: var(--line); font-weight: 500; }
.shape { flex: none; width: 12px; height: 12px; }
.notice { border-left: 4px solid var(--focus); background: var(--sheet); padding: .6rem 1rem; margin: 0 0 1rem; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.notice p { margin: 0; }
kbd { font: .88em/1.4 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .3rem; background: var(--paper); }
/* On a desk the editor fills the window: the pages scroll below the bar, and a panel scrolls only where it is longer than the window. */
@media (min-width: 60rem) {
  .editing { height: 100vh; height: 100dvh; display: flex; flex-direction: column; overflow: hidden; }
  .editing .foot { display: none; }
  .editing .top > div { padding-block: .5rem; }
  .editing main { flex: 1; min-height: 0; width: 100%; display: flex; flex-direction: column; padding-bottom: 0; }
  .editor.scripted { flex: 1; min-height: 0; display: flex; flex-direction: column; }
  .work { grid-template-columns: minmax(0, 1fr) 20rem; align-items: start; }
  .scripted .work { flex: 1; min-height: 0; grid-template: minmax(0, 1fr) / 13rem minmax(0, 1fr) 20rem; align-items: stretch; }
  .scripted .pages { overflow: auto; padding: 0 .75rem 1rem; }
  .scripted .sheet-of-document { max-width: 62rem; margin-inline: auto; }
  .scripted .side { overflow: auto; }
  .palette { overflow: auto; max-height: 100%; align-self: start; margin: 0; }
}
@media (max-width: 60rem) {
  .scripted .title { display: contents; }
  .scripted .title h1 { margin: .75rem 0 .25rem; }
  .scripted .bar { position: sticky; top: 0; z-index: 2; gap: .5rem; margin: 0 -1rem .5rem; padding: .4rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); }
  .scripted .bar .tools { flex: 1; flex-wrap: nowrap; justify-content: flex-start; }
  .bar .saving { flex: 1; min-width: 0; }
  .scripted .pages { overflow-x: auto; }
  .scripted .side { display: contents; }
  .scripted .side > *, .palette { order: 3; min-width: 0; }
  .palette { order: 2; position: sticky; bottom: 0; z-index: 1; margin: 0 -1rem; padding: .5rem 0; border-width: 1px 0 0; border-radius: 0; box-shadow: 0 -.2rem 1rem rgb(0 0 0 / .12); }
  .selected .palette { display: none; }
  .palette h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .palette .choices-of-party, .types { display: flex; gap: .35rem; overflow-x: auto; padding: 0 1rem; margin: 0 0 .35rem; }
  .palette .choices-of-party > *, .types > * { flex: none; }
  .types button { background: var(--paper); border-color: var(--line); min-height: 2.75rem; }
  .types .new-group { margin-top: 0; margin-inline-start: .5rem; }
  .palette .hint { margin: 0; padding: 0 1rem; }
  .scripted .properties.of-field { position: sticky; bottom: 0; z-index: 1; order: 2; max-height: 45vh; overflow: auto; margin: 0 -1rem; border-radius: .7rem .7rem 0 0; box-shadow: 0 -.2rem 1rem rgb(0 0 0 / .2); }
  .side .field { max-width: none; }
  .scripted .properties:not(.of-field) { display: none; }
}
@media (max-width: 40rem) {
  .bar .words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .bar .size { display: none; }
  .bar .saving { font-size: .8rem; }
}
@media (forced-colors: active) { svg.over .box { stroke: CanvasText; } .field-box.selected .box { stroke: Highlight; } }
`;
