/** The style sheet of the element. A page can change `--mqtt-explain-font` and style the parts `verdict`, `bytes` and `fields`. */
export const styles = `
:host {
  --mono: var(--mqtt-explain-font, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
  --quiet: light-dark(#5b6270, #a3abb9);
  --line: light-dark(#dfe3ea, #343a46);
  --bad: light-dark(#b3141d, #ff9a94);
  --good: light-dark(#0b6b37, #6fdc9c);
  all: initial;
  color-scheme: inherit;
  visibility: inherit;
  display: block;
  container-type: inline-size;
  color: light-dark(#1a1d24, #e8eaf0);
  font: 14px/1.45 system-ui, sans-serif;
  direction: ltr;
}
:host([hidden]) { display: none }
* { box-sizing: border-box }
p { margin: 0 }
.verdict { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0 0 16px }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
.good, .bad { font-weight: 600; color: var(--good) }
.bad { color: var(--bad) }
.fields > .last:not(:last-child) { margin-bottom: 14px }
.panes { display: grid; gap: 20px }
.bytes { display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); gap: 3px 0; padding: 0 calc(8ch + 12px) 0 42px; font: 13px/1.9 var(--mono); max-width: 460px }
.bytes > * { position: relative; text-align: center; cursor: default; background: var(--tint) }
.start { border-radius: 5px 0 0 5px }
.end { border-radius: 0 5px 5px 0 }
.start.end { border-radius: 5px }
.bytes > :nth-child(8n + 1)::before { content: attr(data-at); position: absolute; right: 100%; padding-right: 10px; color: var(--quiet); font-size: 12px }
.bytes > :nth-child(8n + 1)::after { content: attr(data-text-8); position: absolute; left: calc(800% + 12px); white-space: pre; color: var(--quiet) }
.value { unicode-bidi: isolate }
.detail { margin: 10px 0 0 42px; min-height: 3em; color: var(--quiet); overflow-wrap: anywhere }
.fields { min-width: 0 }
.fields > * { display: grid; grid-template-columns: 4ch minmax(0, 1fr) auto; gap: 0 10px; padding: 4px 10px 4px 7px; border-left: 4px solid var(--strong); border-bottom: 1px solid var(--line); cursor: default }
.fields > :nth-child(n + 500) { content-visibility: auto; contain-intrinsic-size: auto 30px }
.fields > * > * { grid-column: 2 / -1; min-width: 0; overflow-wrap: anywhere }
.fields .at { grid-column: 1; color: var(--quiet); font: 12px/1.7 var(--mono); text-align: right }
.fields .name { grid-area: 1 / 2; font-weight: 600 }
.fields .clause { grid-area: 1 / 3 }
.fields .part .name { font-weight: 400; color: var(--quiet) }
a { color: inherit }
.clause, .hex { color: var(--quiet); font-size: 12px }
.hex, .bit { font-family: var(--mono); font-size: 12px }
.bit { white-space: pre-wrap }
.wrong { color: var(--bad) }
.mark { outline: 2px solid var(--bad); outline-offset: -2px; border-radius: 5px; z-index: 1 }
.fields > .mark { background: light-dark(#fdeceb, #40191b) }
.on { background: var(--strong) !important; color: light-dark(#fff, #14161c) }
.fields > .on { background: var(--tint) !important; color: inherit }
:focus-visible { outline: 3px solid light-dark(#1f5fd0, #8ab8ff); outline-offset: 1px; z-index: 2 }
.frame { --h: 265; --c: .015 }
.head { --h: 250; --c: .05 }
.props { --h: 305; --c: .05 }
.id { --h: 155; --c: .06 }
.will { --h: 75; --c: .07 }
.user { --h: 10; --c: .05 }
.rest { --h: 265; --c: 0 }
.bytes > *, .fields > * {
  --tint: light-dark(oklch(93% var(--c) var(--h)), oklch(32% var(--c) var(--h)));
  --strong: light-dark(oklch(47% calc(var(--c) * 2) var(--h)), oklch(82% calc(var(--c) * 1.6) var(--h)));
}
@container (min-width: 560px) {
  .bytes { grid-template-columns: repeat(16, minmax(0, 1fr)); max-width: 680px; padding-right: calc(16ch + 14px) }
  .bytes > :nth-child(n)::before, .bytes > :nth-child(n)::after { content: none }
  .bytes > :nth-child(16n + 1)::after { content: attr(data-text-16); left: calc(1600% + 14px) }
  .bytes > :nth-child(16n + 1)::before { content: attr(data-at) }
  .fields > * { grid-template-columns: 4ch minmax(0, 15em) minmax(0, 1fr) auto }
  .fields .value { grid-area: 1 / 3 }
  .fields .clause { grid-area: 1 / 4 }
  .hex { display: none }
}
@container (min-width: 1020px) {
  .panes { grid-template-columns: minmax(0, 11fr) minmax(0, 13fr); gap: 32px; align-items: start }
  .left { position: sticky; top: 16px }
}
@media (forced-colors: active) {
  .on { outline: 3px solid Highlight }
  .mark { outline: 3px dashed LinkText }
}
@media print {
  .detail { display: none }
  .panes { grid-template-columns: minmax(0, 1fr); gap: 12px }
  .left { position: static }
  .fields > * { break-inside: avoid; padding-block: 1px }
  .bit { display: none }
}`
