/**
 * Builds the documents as a website: static files with relative addresses, for any host and any folder, also opened as files.
 *   --folder site/dist                                        where it goes
 *   --repository https://host/owner/name/blob/main/           where links to source files lead; without it they are text
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { root } from '../../scripts/workspace.ts'
import { CONTENTS } from './contents.ts'
import { frontPage } from './front-page.ts'
import { documentPage } from './layout.ts'
import { outputOf, PICTURES } from './links.ts'
import { markdownRenderer, type RenderedDocument } from './markdown.ts'
import { searchEntries } from './search-entries.ts'

export interface SiteOptions {
  /** Where the site is written; what stood there goes. */
  readonly folder: string
  readonly repository?: string | undefined
}

/** RECIPE of the site: files → documents → pages and pictures → search → style and script. Returns the files of its pages. */
export async function buildSite({ folder, repository }: SiteOptions): Promise<readonly string[]> {
  const files = siteFiles()
  const render = await markdownRenderer({ pages: new Set(['README.md', ...files]), repository })
  const read = (file: string): RenderedDocument => render(file, readFileSync(join(root, file), 'utf8'))
  const documents = files.map(file => ({ file, document: read(file) }))
  rmSync(folder, { recursive: true, force: true })
  const write = (output: string, text: string): void => {
    mkdirSync(dirname(join(folder, output)), { recursive: true })
    writeFileSync(join(folder, output), text)
  }
  write('index.html', frontPage(read('README.md')))
  for (const { file, document } of documents) write(outputOf(file), documentPage(file, document))
  write('assets/search.js', `window.searchEntries(${JSON.stringify(searchEntries(documents))})`)
  cpSync(join(root, 'apps/console/public/icon.svg'), join(folder, 'assets/icon.svg'))
  cpSync(join(root, PICTURES), join(folder, PICTURES), { recursive: true })
  await bundleAssets(join(folder, 'assets'))
  return ['index.html', ...files.map(outputOf)]
}

/** The documents of the navigation, and every decision. */
function siteFiles(): readonly string[] {
  const decisions = readdirSync(join(root, 'docs/decisions')).filter(name => /^\d.*\.md$/.test(name))
  return [
    ...CONTENTS.flatMap(({ entries }) => entries.map(({ file }) => file)),
    ...decisions.map(name => `docs/decisions/${name}`),
  ]
}

async function bundleAssets(outdir: string): Promise<void> {
  await build({
    entryPoints: ['site.css', 'site.ts'].map(name => join(import.meta.dirname, name)),
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    loader: { '.woff2': 'file' },
    assetNames: '[name]',
    logLevel: 'error',
  })
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: 'string' }, repository: { type: 'string' } } })
  const folder = resolve(values.folder ?? join(root, 'site/dist'))
  const pages = await buildSite({ folder, repository: values.repository })
  process.stdout.write(`${pages.length} pages: open ${join(folder, 'index.html')}\n`)
}
