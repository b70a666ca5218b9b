/** The style sheet of the panel's shadow tree, which isolates its styles from the app's. */
export const STYLE = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
.drawer, .handle {
  --ink: light-dark(#10201d, #e4efeb); --quiet: light-dark(#52645e, #93a9a2); --card: light-dark(#fff, #0e1917);
  --line: light-dark(#dde6e2, #22332f); --accent: light-dark(#0f766e, #2dd4bf); --bad: light-dark(#b42318, #fda29b);
  color: var(--ink); background: var(--card);
  font: 400 12.5px/1.45 "Inter Variable", system-ui, sans-serif; font-feature-settings: "tnum";
}
.drawer { container-type: inline-size; display: grid; grid-template-rows: auto 1fr; width: 100%; height: 100%; min-height: 0; }
.drawer[data-floating] {
  position: fixed; z-index: 2147483000; inset: auto 0 0; height: min(360px, 50dvh);
  border-top: 1px solid var(--line); box-shadow: 0 -12px 36px rgb(6 28 24 / 16%);
}
.handle {
  position: fixed; z-index: 2147483000; bottom: 12px; left: 12px; padding: 0 14px; height: 36px;
  border: 1px solid var(--line); border-radius: 18px; cursor: pointer; font-weight: 600; box-shadow: 0 4px 16px rgb(6 28 24 / 18%);
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 18px; padding: 8px 8px 8px 20px; border-bottom: 1px solid var(--line); }
h2 { margin: 0; font-size: 14px; font-weight: 650; }
dl { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 0; color: var(--quiet); }
dl div { display: flex; gap: 5px; white-space: nowrap; }
dt { order: 1; } dd { margin: 0; color: var(--ink); font-weight: 600; }
.tabs { display: flex; gap: 2px; margin-left: auto; }
button { font: inherit; color: inherit; }
.tabs button, .close {
  min-height: 36px; padding: 0 12px; border: 0; border-radius: 8px; background: none; font-weight: 550; cursor: pointer; white-space: nowrap;
}
.tabs button[aria-selected="true"] { background: color-mix(in srgb, var(--accent) 14%, transparent); }
.close { min-width: 36px; padding: 0; color: var(--quiet); font-size: 18px; line-height: 1; }
@media (forced-colors: active) { .tabs button[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; } }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.scroll { min-height: 0; overflow: auto; padding: 4px 12px 12px 20px; }
.scroll:focus-visible { outline-offset: -2px; }
table { width: 100%; border-collapse: collapse; }
th { position: sticky; top: -4px; background: var(--card); color: var(--quiet); font-weight: 500; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
.fixed { width: 1%; white-space: nowrap; overflow-wrap: normal; color: var(--quiet); }
.number { text-align: right; }
th.number { text-align: right; }
.kind { font-weight: 600; color: var(--accent); }
tr[data-bad="true"] .kind, tr[data-bad="true"] .about { color: var(--bad); }
.none { margin: 12px 0; color: var(--quiet); }
@container (max-width: 900px) {
  header { padding-left: 14px; gap: 4px 12px; } .scroll { padding-left: 14px; }
  .tabs { order: 3; flex: 1 0 100%; margin-left: -10px; } .close { margin-left: auto; } dl { order: 2; flex: 1 0 100%; gap: 2px 12px; }
  .time { display: none; }
  .tabs button, .close { min-height: 44px; } .close { min-width: 44px; }
}
@container (max-width: 600px) {
  thead { display: none; } table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 0 12px; padding: 6px 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; } td.fixed { width: auto; } td.about { order: 1; flex: 1 0 100%; } td.number { margin-left: auto; }
}
`
