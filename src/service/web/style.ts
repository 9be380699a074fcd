// The style of the dashboard: one sheet, light and dark as the reader's system is, from 320 pixels up.

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --sheet: #ffffff; --ink: #1c2330; --soft: #5a6372; --line: #dcd9d1;
  --accent: #1d5c48; --on-accent: #ffffff; --wash: #eef3ef; --alarm: #a3262a; --alarm-wash: #fbeeed; --focus: #b8720a;
  --running: #1d55a3; --late: #85520a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --sheet: #1c2026; --ink: #e9e7e2; --soft: #a3abb8; --line: #363c46;
    --accent: #84cdb0; --on-accent: #0e1613; --wash: #1f2a27; --alarm: #ff9d98; --alarm-wash: #34211f; --focus: #ffc46b;
    --running: #8db8f5; --late: #f0bb6b;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .18em; }
h1 { font-size: 1.7rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; margin: 0 0 .6rem; text-wrap: balance; }
h2 { font-size: 1.1rem; line-height: 1.3; font-weight: 650; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--sheet); z-index: 1; }
.top { border-bottom: 1px solid var(--line); background: var(--sheet); }
.top > div { max-width: 64rem; margin: 0 auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1.25rem; }
.brand { font-weight: 700; letter-spacing: -.02em; font-size: 1.15rem; text-decoration: none; color: var(--ink); display: inline-flex; align-items: center; gap: .5rem; margin-right: auto; }
.brand img { width: 1.4rem; height: 1.4rem; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; align-items: center; position: static; width: auto; height: auto; margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible; }
.menu { display: none; }
.top nav a { color: var(--soft); text-decoration: none; padding: .3rem 0; }
.top nav a:hover, .top nav a[aria-current] { color: var(--ink); }
.top nav a[aria-current] { box-shadow: 0 2px 0 var(--accent); }
main { max-width: 64rem; margin: 0 auto; padding: 2.25rem 1rem 2.5rem; }
.foot { max-width: 64rem; margin: 0 auto; padding: 0 1rem 2.5rem; }
main.narrow { max-width: 29rem; }
.lead { color: var(--soft); font-size: 1.05rem; margin-bottom: 1.75rem; }
.quiet { color: var(--soft); font-size: .94rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: .7rem; padding: 1.25rem; margin: 0 0 1.25rem; }
.sheet > :last-child { margin-bottom: 0; }
.field { margin: 0 0 1.15rem; max-width: 40rem; }
label { display: block; font-weight: 600; margin-bottom: .2rem; }
.hint { color: var(--soft); font-size: .92rem; margin: 0 0 .35rem; }
.wrong { color: var(--alarm); font-weight: 600; font-size: .94rem; margin: 0 0 .35rem; }
input:not([type=checkbox]), textarea, select { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; padding: .55rem .7rem; }
textarea { resize: vertical; }
input[readonly] { font: .92em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border: 2px solid var(--alarm); }
button, .button { display: inline-block; font: inherit; font-weight: 600; line-height: 1.3; padding: .62rem 1.2rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.08); }
.plain { background: transparent; color: var(--accent); }
.danger { background: transparent; color: var(--alarm); border-color: var(--alarm); }
.text { background: none; border: 0; padding: .3rem 0; color: var(--soft); font-weight: 400; }
.text:hover { color: var(--ink); }
.link { background: none; border: 0; padding: 0; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: .18em; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1.25rem 0 0; }
.actions form { margin: 0; }
.actions.before { margin: 0 0 1.5rem; }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; }
form { margin: 0; }
.summary { border: 2px solid var(--alarm); background: var(--alarm-wash); border-radius: .7rem; padding: 1rem 1.25rem; margin: 0 0 1.5rem; }
.summary h2 { color: var(--alarm); margin-bottom: .35rem; }
.summary ul { margin: 0; padding-left: 1.1rem; }
.summary a { color: inherit; }
.done { border-left: 4px solid var(--accent); background: var(--wash); border-radius: .3rem; padding: .75rem 1rem; margin: 0 0 1.5rem; }
.done > :last-child { margin: 0; }
dl { margin: 0 0 1rem; display: grid; grid-template-columns: minmax(6.5rem, auto) 1fr; gap: .3rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
code { font: .92em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; background: var(--wash); border-radius: .25rem; padding: .1rem .35rem; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.done code { padding: 0; background: none; }
h1 + .sheet, h1 + form { margin-top: 1.25rem; }
.scopes { list-style: none; margin: 0 0 1rem; padding: 0; }
.scopes li { padding: .45rem 0 .45rem 1.6rem; position: relative; border-bottom: 1px solid var(--line); }
.scopes li:last-child { border-bottom: 0; }
.scopes li::before { content: ""; position: absolute; left: .15rem; top: .85rem; width: .7rem; height: .35rem; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg); }
.scopes span { color: var(--soft); font-size: .88rem; }
.rows { list-style: none; margin: 0 0 1rem; padding: 0; }
.rows > li { padding: .7rem 0; border-bottom: 1px solid var(--line); }
.rows > li:last-child { border-bottom: 0; }
.rows p { margin: 0; }
.rows .head { margin-bottom: .15rem; }
.rows .head { display: flex; flex-wrap: wrap; gap: .1rem 1rem; justify-content: space-between; align-items: baseline; }
.rows .head > span:not(.state) { color: var(--soft); font-size: .94rem; }
main > .rows { background: var(--sheet); border: 1px solid var(--line); border-radius: .7rem; padding: .3rem 1.25rem; }
main > .rows a { font-weight: 600; }
.remark { border-left: 3px solid var(--focus); padding-left: .6rem; font-size: .94rem; }
.rows .remark { margin-top: .35rem; }
.state { font-size: .85rem; font-weight: 600; border: 1px solid currentColor; border-radius: 1rem; padding: .05rem .6rem; color: var(--soft); white-space: nowrap; }
.state::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-inline-end: .45em; border: 1.5px solid currentColor; border-radius: 50%; }
.state.started { color: var(--running); }
.state.started::before { background: linear-gradient(90deg, currentColor 50%, transparent 50%); }
.state.completed { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.state.completed::before, .state.delivered::before { background: currentColor; }
.state.rejected { color: var(--alarm); background: var(--alarm-wash); }
.state.rejected::before, .state.undelivered::before { border-radius: 0; background: currentColor; transform: rotate(45deg) scale(.9); }
.state.expired { color: var(--late); }
.state.expired::before, .state.cancelled::before { border-radius: 0; }
.state.cancelled::before { background: currentColor; }
.rows .who { overflow: hidden; text-overflow: ellipsis; }
.state.delivered { color: var(--accent); }
.state.undelivered { color: var(--alarm); }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .35rem; }
.check { display: flex; gap: .6rem; align-items: baseline; margin: 0 0 .45rem; }
.check label { font-weight: 400; margin: 0; }
.check code { color: var(--soft); background: none; padding: 0; }
.search { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin: 0 0 1rem; }
.search input[type=search] { flex: 1 1 10rem; width: auto; min-width: 0; background: var(--sheet); }
.choices { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 0 0 1rem; }
.choices a { color: var(--soft); text-decoration: none; padding: .3rem 0; }
.choices a:hover, .choices a[aria-current] { color: var(--ink); }
.choices a[aria-current] { box-shadow: 0 2px 0 var(--accent); }
time { white-space: nowrap; }
iframe { width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); }
.lines { white-space: pre-wrap; }
@media (min-width: 48rem) {
  .table > li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 17rem) 7rem 10.5rem; gap: .1rem 1.25rem; align-items: baseline; }
  .table .head { display: contents; }
  .table .head > .state { grid-column: 3; justify-self: start; }
  .table .who { grid-column: 2; grid-row: 1; }
  .table .when { grid-column: 4; grid-row: 1; text-align: right; }
  .table .quiet:not(.when) { grid-column: 1 / -1; }
  .table .what { display: none; }
}
@media (max-width: 48rem) {
  .menu { display: inline-block; padding: .35rem .9rem; }
  .top nav:popover-open { position: fixed; inset: 3.6rem .75rem auto .75rem; width: auto; display: grid; gap: 0; padding: .5rem 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .7rem; box-shadow: 0 .5rem 2rem rgb(0 0 0 / .25); }
  .top nav[popover]:not(:popover-open) { display: none; }
  .top nav:popover-open > *, .top nav:popover-open button { display: block; padding: .7rem 0; text-align: left; }
  .top nav:popover-open a[aria-current] { box-shadow: none; font-weight: 600; }
}
@supports not selector(:popover-open) { .menu { display: none !important; } }
@media (max-width: 30rem) {
  main { padding-top: 1.5rem; }
  .sheet { padding: 1rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
  .actions > *, .actions button { width: 100%; }
}
@media (forced-colors: active) { .scopes li::before { border-color: CanvasText; } }
`;

/** A sheet of paper with a signature's stroke. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5c48"/><path d="M7 21c4-9 7-12 8-10s-4 9-2 9 4-6 6-6 0 5 2 5 2-1 4-3" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
