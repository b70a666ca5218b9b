/** The console's font, on servers that serve the console. */
export const FONT = '/console/assets/inter.woff2'
/** The font face, on servers that serve the font file. */
export const FONT_STYLE = `@font-face { font-family: Inter; src: local("Inter"), url("..${FONT}") format("woff2"); font-weight: 100 900; font-display: swap }
`

/** The style of the API pages: one column on a phone, light or dark as the system is set. */
export const STYLE = `:root {
  color-scheme: light dark;
  --font: Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --ground: light-dark(#f5f4f0, #0e1315); --surface: light-dark(#ffffff, #151b1e); --raised: light-dark(#faf9f6, #1b2327);
  --line: light-dark(#e3e0d8, #263035); --text: light-dark(#17201f, #e7edeb); --quiet: light-dark(#55615e, #9dacaa);
  --link: light-dark(#0d5c6d, #62c6d8); --tint: light-dark(#e2eff1, #15323a);
  --get: light-dark(#1b7048, #63cf98); --post: light-dark(#0d5c6d, #62c6d8); --put: light-dark(#7d4b00, #f0b862);
  --delete: light-dark(#a8261c, #ff9488); --mark: light-dark(#9a4d0e, #f2a65e);
  --shade: 0 1px 2px light-dark(#1a24200d, #0000004d), 0 4px 16px light-dark(#1a24200a, #00000033);
}
* { box-sizing: border-box }
html { scroll-padding-top: 4.8rem }
body { margin: 0; background: var(--ground); color: var(--text); font: 400 .9rem/1.55 var(--font); -webkit-font-smoothing: antialiased }
a { color: var(--link); text-decoration-color: color-mix(in srgb, currentcolor 35%, transparent); text-underline-offset: 3px }
a:focus-visible, summary:focus-visible, input:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
code, pre, .method { font-family: var(--mono); font-size: .93em }
p { margin: .5rem 0 }
ul { margin: .5rem 0; padding-left: 1.3rem }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--ground) }
.top { position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: .7rem 1.2rem; background: var(--surface); border-bottom: 1px solid var(--line) }
h1 { margin: 0; font-size: 1.375rem; font-weight: 650; letter-spacing: -.02em; line-height: 1.2 }
h1 small { color: var(--quiet); font-weight: 400 }
h2 { margin: 2rem 0 .25rem; font-size: 1.25rem; font-weight: 640; letter-spacing: -.015em }
h3 { margin: 0; font-size: 1rem; font-weight: 620 }
h4 { margin: 1.1rem 0 .3rem; font-size: .95rem }
.search { display: flex; flex: 1; min-width: 0; max-width: 32rem; align-items: center; gap: .6rem }
.search input { flex: 1; width: 0; min-width: 0; padding: .45rem .7rem; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: 6px }
#found { color: var(--quiet); font-size: .85rem; white-space: nowrap; min-width: 4.2rem }
.page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); max-width: 82rem; margin: 0 auto }
nav { position: sticky; top: 3.6rem; align-self: start; height: calc(100vh - 3.6rem); overflow-y: auto; padding: 1rem .5rem 2rem 1.2rem; font-size: .88rem }
nav p { margin: .8rem 0 .1rem; font-weight: 600 }
nav ul { margin: 0; padding: 0; list-style: none }
nav a { display: block; padding: .1rem .4rem; color: inherit; text-decoration: none; border-radius: 6px }
nav a:hover { background: var(--tint); color: var(--link) }
nav li a { color: var(--quiet) }
main { padding: .5rem 1.5rem 4rem }
.alone { max-width: 56rem; margin: 0 auto }
.operation { margin: .5rem 0; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: var(--shade) }
summary { display: grid; grid-template-columns: 4.2rem minmax(0, auto) 1fr; gap: .1rem .6rem; align-items: baseline; padding: .55rem .8rem; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
.method { font-weight: 700 }
.method.get { color: var(--get) } .method.post { color: var(--post) } .method.put { color: var(--put) } .method.delete { color: var(--delete) }
.path { overflow-wrap: anywhere }
.path var { color: var(--mark); font-style: normal }
.about { grid-column: 2 / -1; color: var(--quiet); font-size: .92rem }
.roles { grid-column: 3; grid-row: 1; text-align: right; white-space: nowrap }
.role, .status { padding: .05rem .45rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); font-size: .78rem; font-weight: 400; font-family: var(--font) }
.optional { color: var(--quiet); font: italic .82rem var(--font) }
.body { padding: 0 .9rem .6rem; border-top: 1px solid var(--line) }
.type { color: var(--quiet) }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .92rem }
th, td { padding: .35rem .7rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400 }
thead th { color: var(--quiet); font-size: .82rem }
td p, td ul { margin: 0 0 .2rem }
td:last-child { min-width: 16rem; width: 60% }
pre { margin: .4rem 0; padding: .7rem .9rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 6px }
.problems { display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: .2rem .6rem; margin: .3rem 0 }
.problems dt { color: var(--quiet) }
.problems dd { margin: 0 }
.problems a { margin-right: .5rem }
.self { font-size: .82rem }
.message { padding: .9rem 0; border-bottom: 1px solid var(--line) }
.message:target h3 { color: var(--mark) }
.searching #messages, .searching .intro { display: none }
[hidden] { display: none !important }
@media (max-width: 52rem) {
  .page { display: block }
  nav { display: none }
  main { padding: .5rem 1rem 3rem }
  .top { padding: .6rem 1rem }
  summary { grid-template-columns: 3.6rem minmax(0, 1fr) }
  .about, .roles { grid-column: 1 / -1; grid-row: auto; text-align: left }
  #found { min-width: 0 }
  h1 { white-space: nowrap }
  h1 small { font-size: .8rem }
  thead { position: absolute; left: -999rem }
  table, tbody, tr, th, td { display: block }
  th, td, td:last-child { width: auto; min-width: 0; padding: 0; border: 0; overflow-wrap: anywhere }
  tr { padding: .45rem 0; border-bottom: 1px solid var(--line) }
  td:nth-child(2) { color: var(--quiet) }
  h3, .problems dd { overflow-wrap: anywhere }
}
@media print { .top, nav { position: static } .search { display: none } }
`
