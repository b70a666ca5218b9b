import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, openBrowser, openWatchedPage } from '../harness/browser.js'
import { type StaticServer, serveFiles } from '../harness/browser-bundle.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

const chromium = findChromium() ?? ''
const inBrowser = chromium === '' ? test.skip : test
const folder = temporaryFolder()

const APP = {
  'package.json': '{ "private": true, "type": "module" }\n',
  'index.html':
    '<!doctype html><title>app</title><link rel="icon" href="data:,"><script type="module" src="./src/page.js"></script>',
  'src/models.js': `
import { defineModel, t } from '@godwit/model'
export const models = { Note: defineModel('Note', { attributes: { text: t.string() } }) }
`,
  'src/godwit.worker.js': `
import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { models } from './models.js'
const actions = defineActions(models, {
  shout: (sdk, text) => sdk.models.Note.create({ text: text.toUpperCase() }).text,
})
serveDevice({ models, actions })
`,
  'src/page.js': `
import { openDevice, remoteActions } from '@godwit/model/browser'
import { models } from './models.js'
window.device = openDevice({
  name: 'app', models, actions: remoteActions(),
  worker: () => new Worker(new URL('./godwit.worker.js', import.meta.url), { type: 'module' }),
})
`,
  'react.html':
    '<!doctype html><title>app</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="./src/react-page.js"></script>',
  'src/react-page.js': `
import { DeviceProvider, useDevice, useQuery, useSyncStatus } from '@godwit/react'
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './page.js'
function Notes() {
  const { models } = useDevice()
  const { connected } = useSyncStatus()
  const { rows, status } = useQuery(models.Note, { order: { text: 'asc' } })
  return createElement('main', null,
    createElement('p', null, connected ? status : 'opening'),
    createElement('ul', null, rows.map(({ id, text }) => createElement('li', { key: id }, text))),
    createElement('button', { onClick: () => models.Note.create({ text: 'by button' }) }, 'Add'))
}
const app = createElement(DeviceProvider, { device: window.device }, createElement(Notes))
createRoot(document.getElementById('root')).render(createElement(StrictMode, null, app))
`,
  'vite.config.js': `
export default {
  base: './',
  logLevel: 'error',
  optimizeDeps: { exclude: ['@godwit/model', '@godwit/protocol'] },
  worker: { format: 'es' },
  build: { rolldownOptions: { input: ['index.html', 'react.html'] } },
  server: { host: '127.0.0.1', port: 0 },
}
`,
}

/** The same app as a browser loads it from a folder: import maps do not reach workers, so that each import is an address. */
const PLAIN = Object.fromEntries(
  Object.entries(APP)
    .filter(([name]) => (name.startsWith('src/') && name !== 'src/react-page.js') || name === 'index.html')
    .map(([name, text]) => [name, text.replaceAll(/'@godwit\/model(?:\/[a-z/]*)?'/g, addressOf)]),
)

function addressOf(imported: string): string {
  const module = imported.replaceAll("'", '').split('/').at(-1)
  return `'../node_modules/@godwit/model/dist/standalone/${module}.js'`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

let browser: Browser
let server: StaticServer | undefined
/** An app in a folder with the packages as npm would unpack them, and nothing else. */
beforeAll(async () => {
  if (chromium === '') return
  for (const [name, text] of Object.entries(APP)) write(join(folder.path, name), text)
  for (const name of ['protocol', 'model', 'react']) {
    const pack = ['pack', inRepository(`packages/${name}`), '--json', '--ignore-scripts', '--offline']
    const [{ filename }] = JSON.parse(
      execFileSync('npm', pack, { cwd: folder.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    const place = join(folder.path, 'node_modules/@godwit', name)
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder.path, filename), '-C', place, '--strip-components=1'])
  }
  for (const name of ['react', 'react-dom'])
    symlinkSync(
      realpathSync(inRepository(`packages/react/node_modules/${name}`)),
      join(folder.path, 'node_modules', name),
    )
  browser = await openBrowser(chromium)
}, 120_000)
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(async () => {
  await browser?.close()
  await endAll()
  folder.remove()
})

/** What the page does once it is open: a row in the worker, on disk. */
async function works(url: string): Promise<void> {
  const { page, complaints } = await openWatchedPage(browser)
  await page.goto(url)
  await page.waitForFunction('window.device')
  expect(await page.evaluate(`device.actions.shout('by train')`)).toBe('BY TRAIN')
  expect(await page.evaluate('device.models.Note.find()')).toMatchObject([{ text: 'BY TRAIN' }])
  expect(await page.evaluate('device.status.current()')).toMatchObject({ durable: true, problem: null })
  expect(complaints).toEqual([])
  await page.context().close()
}

/** What the page of React shows: the rows of the worker, as they are and as they come. */
async function worksInReact(url: string): Promise<void> {
  const { page, complaints } = await openWatchedPage(browser)
  await page.goto(new URL('react.html', url).href)
  const displayed = () => page.locator('li').allTextContents()
  await page.getByText('ready').waitFor()
  expect(await displayed()).toEqual([])
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('by button').waitFor()
  await page.evaluate(`device.actions.shout('by train')`)
  await page.getByText('BY TRAIN').waitFor()
  expect(await displayed()).toEqual(['BY TRAIN', 'by button'])
  await page.reload()
  await page.getByText('BY TRAIN').waitFor()
  expect(await displayed()).toEqual(['BY TRAIN', 'by button'])
  expect(complaints).toEqual([])
  await page.context().close()
}

/** A folder as files from memory. */
function filesOf(path: string): { readonly [name: string]: Buffer } {
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map(file => [file.slice(path.length), readFileSync(file)]))
}

const vite = inRepository('packages/e2e/node_modules/vite/bin/vite.js')

inBrowser(
  'Vite builds an app that runs, with React too',
  async () => {
    const dist = join(folder.path, 'dist-vite')
    const built = start(vite, ['build', folder.path, '--outDir', dist])
    expect([(await built.exit).code, built.output().error]).toEqual([0, ''])
    server = await serveFiles(filesOf(dist))
    await works(server.url)
    await worksInReact(server.url)
  },
  300_000,
)

inBrowser(
  'Vite serves an app under development, with React too',
  async () => {
    const serving = start(vite, ['dev', folder.path, '--logLevel', 'info'], { NO_COLOR: '1', FORCE_COLOR: '0' })
    const [, url = ''] = await serving.line(/(http:\/\/127\.0\.0\.1:\d+\/)/)
    await works(url)
    await worksInReact(url)
    await serving.kill()
  },
  300_000,
)

inBrowser(
  'webpack builds an app that runs',
  async () => {
    const built = start(inRepository('packages/e2e/harness/programs/webpack-build.mjs'), [folder.path])
    expect([(await built.exit).code, built.output().error]).toEqual([0, ''])
    const page =
      '<!doctype html><title>app</title><link rel="icon" href="data:,"><script type="module" src="./page.js"></script>'
    server = await serveFiles({ ...filesOf(join(folder.path, 'dist')), '/index.html': page })
    await works(server.url)
  },
  300_000,
)

inBrowser(
  'A folder of plain ES modules runs from any static server, and loads nothing but its files',
  async () => {
    const modules = filesOf(join(folder.path, 'node_modules/@godwit/model/dist/standalone'))
    const installed = Object.entries(modules).map(([name, file]) => [
      `/node_modules/@godwit/model/dist/standalone${name}`,
      file,
    ])
    const own = Object.entries(PLAIN).map(([name, text]) => [`/${name}`, text])
    server = await serveFiles(Object.fromEntries([...installed, ...own]))
    await works(server.url)
  },
  120_000,
)
