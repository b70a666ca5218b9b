import { shell } from './layout.ts'
import { PICTURES } from './links.ts'
import type { RenderedDocument } from './markdown.ts'

/** The front page. Its code and its limits are the README's, so that both say the same. */
export function frontPage(readme: RenderedDocument): string {
  return shell({
    output: 'index.html',
    title: 'Godwit: offline-first sync for business apps',
    description:
      'Offline-first sync for business apps: local SQLite on every device, one server, your backend as it is.',
    className: 'front',
    body: `<main id="main">
<section class="hero">
<h1>Apps that keep working where the network does not.</h1>
<p class="lead">Godwit keeps each user’s part of a company’s data on the device, in SQLite. The app reads and writes it at
once; changes are sent, exactly once, as soon as there is a network.</p>
<p class="actions"><a class="button" href="docs/tutorial.html">Build an offline app in ten minutes</a>
<a href="docs/operating/index.html">Run a server</a></p>
<pre class="command"><code>npx -y pnpm@10.34.9 start</code></pre>
<p class="soft">In a clone of the repository, with Node and git: a server, a demo with 135,233 cities, nothing else to set up.</p>
${picture('visits-list-1440-light', 'Field Visits, the demo: a map drawn from 135,233 cities on the device, and visits with photos beside it', 1440, 900)}
</section>
<section class="twelve">
<div><h2>A model, a source, a device</h2>
<p>The <em>model</em> says what a visit is. The <em>source</em>, in the server, says where a user’s visits come from and
where changes go: a database, a REST API, any backend. The <em>device</em> does the rest.</p>
<p>Rows are typed and found by indexes; live queries follow every change, also those from other tabs and other people.</p></div>
${firstCode(readme.html)}
</section>
<section>
<h2>The first minute of the demo</h2>
<div class="phones">
${figure('visits-offline-390-light', 390, 844, 'No network', 'Two changes wait. They survive a reload, a crash and a closed browser.')}
${figure('visits-refused-390-dark', 390, 844, 'Refused', 'The backend said no: both versions side by side, and what to do about it.')}
${figure('visits-devtools-820-light', 820, 1180, 'What just happened', 'Requests, transactions and live queries, in a panel for any app.')}
</div>
</section>
<section>
<h2>For those who run it</h2>
<p class="lead">One process on SQLite needs no other service. Many processes share Redis. The console shows both, and answers why
an object is not on a device.</p>
<picture><source srcset="${PICTURES}/overview-1440-dark.webp" media="(prefers-color-scheme: dark)">${picture('overview-1440-light', 'The console: devices, refused changes, response times and warnings of a running server', 1440, 900)}</picture>
</section>
<section class="facts">
<article><h3>Nothing is lost or doubled</h3><p>A change is applied once, however often an answer is lost. Over a thousand
simulated histories with crashes, restored backups and failing backends check that in each test run.
<a href="packages/e2e/simulator/index.html">The simulator</a></p></article>
<article><h3>The cost follows the changes</h3><p>A sync reads what changed since the last one, not what is there. The server
keeps one copy of the data with its history, and none for each device.
<a href="docs/performance.html">Measured</a></p></article>
<article><h3>Your backend stays</h3><p>Sources are functions in TypeScript, or an HTTP backend in any language. Godwit serves
them; it does not replace them. <a href="docs/sources.html">Writing a source</a></p></article>
<article><h3>Where devices are</h3><p>Browsers, with SQLite in a worker and one database for all tabs; Node and Electron.
React hooks, or none. <a href="packages/react/index.html">React</a></p></article>
</section>
<section class="limits">
<h2>Who it is not for</h2>
${sectionOf(readme.html, 'who-it-is-not-for')}
</section>
<section class="next">
<h2>Where to begin</h2>
<ul>
<li><a href="docs/tutorial.html"><b>App developers</b>An offline to-do list in ten minutes</a></li>
<li><a href="docs/sources.html"><b>Backend developers</b>A source for the data that you have</a></li>
<li><a href="docs/operating/index.html"><b>Operators</b>Deploy, watch, back up</a></li>
<li><a href="ARCHITECTURE.html"><b>The curious</b>The floors, and five journeys through them</a></li>
</ul>
</section>
</main>`,
  })
}

const picture = (name: string, alt: string, width: number, height: number): string =>
  `<img class="shot" src="${PICTURES}/${name}.webp" alt="${alt}" width="${width}" height="${height}">`

const figure = (name: string, width: number, height: number, title: string, text: string): string =>
  `<figure>${picture(name, `${title}: ${text}`, width, height).replace('<img', '<img loading="lazy"')}<figcaption><b>${title}</b>${text}</figcaption></figure>`

/** The README's first block of code, as it was coloured. */
function firstCode(html: string): string {
  const found = /<pre class="shiki[\s\S]*?<\/pre>/.exec(html)?.[0]
  if (found === undefined) throw new Error('expected a block of code in README.md, got none')
  return found
}

/** What stands below one heading of the README, up to the next. */
function sectionOf(html: string, anchor: string): string {
  const found = new RegExp(`<h2 id="${anchor}"[^>]*>[\\s\\S]*?</h2>([\\s\\S]*?)(?=<h2|$)`).exec(html)?.[1]
  if (found === undefined) throw new Error(`expected a heading #${anchor} in README.md, got none`)
  return found
}
