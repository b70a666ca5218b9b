import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { installPackages } from '../harness/installed-packages.js'
import { endAll, inRepository, type Program, start } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import type { Tab } from '../harness/tabs.js'

const PAGE = readFileSync(inRepository('docs/react-app.md'), 'utf8')
const DOCUMENTED_SERVER = 'http://127.0.0.1:8675'
const vite = inRepository('packages/e2e/node_modules/vite/bin/vite.js')

const folder = temporaryFolder()
/** What the page installs from npm. */
const FROM_NPM = ['react', 'react-dom', 'vite', '@vitejs/plugin-react']

/** Writes the app of the page into a folder with the packed packages. */
beforeAll(() => {
  for (const [, first = '', name = '', text = ''] of PAGE.matchAll(
    /^```\w+\n((?:\/\/|<!--) (\S+\.\w+)[^\n]*\n)(.*?)^```$/gms,
  ))
    write(name, name.endsWith('.html') ? text : first + text)
  write('package.json', '{ "private": true, "type": "module" }\n')
  installPackages(folder.path)
  for (const name of FROM_NPM) {
    const place = join(folder.path, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(realpathSync(inRepository(`apps/device/web/node_modules/${name}`)), place)
  }
}, 300_000)
afterEach(endAll)
afterAll(() => folder.remove())

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder.path, name)), { recursive: true })
  writeFileSync(join(folder.path, name), text)
}

async function build(): Promise<void> {
  const built = start(vite, ['build', folder.path, '--logLevel', 'error'])
  expect([(await built.exit).code, built.output().error]).toEqual([0, ''])
}

/** Returns the paths of the scripts, styles and WebAssembly of the last build. */
const filesOfBuild = (): readonly string[] =>
  readdirSync(join(folder.path, 'dist/assets')).map(name => `assets/${name}`)

/** Returns the status with which a page gets each file. */
const statusOf = (tab: Tab, files: readonly string[]) =>
  tab.evaluate(`Promise.all(${JSON.stringify(files)}.map(file => fetch('/' + file).then(({ status }) => status)))`)

const serve = (port?: number) =>
  startServer({
    store: `sqlite:${join(folder.path, 'server.db')}`,
    ...(port !== undefined && { port }),
    environment: { SYNC_CONFIG: join(folder.path, 'godwit.config.js') },
  })

/** Directs the plugin to a server, in the file that the page shows. */
function configure(server: string): void {
  const file = readFileSync(join(folder.path, 'vite.config.ts'), 'utf8')
  write('vite.config.ts', file.replace(/http:[^']+/, server))
}

async function runVite(words: readonly string[]): Promise<Program & { readonly url: string }> {
  const program = start(vite, [...words, folder.path, '--host', '127.0.0.1', '--strictPort'], {
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  })
  const [, url = ''] = await program.line(/(http:\/\/127\.0\.0\.1:\d+\/)/)
  return Object.assign(program, { url })
}

/** Types into a field of React, and submits its form. */
const submit = (tab: Tab, values: { readonly [name: string]: string }) =>
  tab.evaluate(`(() => {
    for (const [name, value] of ${JSON.stringify(Object.entries(values))}) document.querySelector('[name=' + name + ']').value = value
    document.querySelector('form').requestSubmit()
  })()`)
const texts = (tab: Tab) =>
  tab.evaluate(`[...document.querySelectorAll('li')].map(({ firstChild }) => firstChild.data)`)
const scriptOf = (tab: Tab) => tab.evaluate(`document.querySelector('script[type=module]').src`)
const shows = (tab: Tab, words: string) => tab.waitFor(`document.body.textContent.includes(${JSON.stringify(words)})`)

async function logIn(tab: Tab): Promise<void> {
  await tab.waitFor(`document.querySelector('[name=login]')`)
  await submit(tab, { login: 'ada', password: 'ada' })
  await tab.waitFor(`document.querySelector('[name=text]')`)
}

inEachBrowser(({ test, newProfile }) => {
  test('the documented app opens in a new tab while every server is down, and later sends what was written', async () => {
    expect(PAGE).toContain(DOCUMENTED_SERVER)
    const server = await serve()
    configure(server.url)
    await build()
    const preview = await runVite(['preview', '--port', '0'])
    const profile = await newProfile()
    const first = await profile.open(preview.url)
    await logIn(first)
    await submit(first, { text: 'by train' })
    await shows(first, 'by train')
    await shows(first, 'Everything is sent.')
    await first.evaluate('navigator.serviceWorker.ready.then(() => undefined)')

    await Promise.all([server.kill(), preview.kill()])
    await first.close()
    const second = await profile.open(preview.url)
    await shows(second, 'by train')
    await submit(second, { text: 'in the tunnel' })
    await shows(second, 'Not sent yet: 1')
    const third = await profile.open(`${preview.url}notes/of-a-route?from=elsewhere`)
    expect(await third.evaluate('document.title')).toBe('Notes')
    await second.reload()
    await shows(second, 'in the tunnel')
    expect(await texts(second)).toEqual(['by train', 'in the tunnel'])

    await serve(Number(new URL(server.url).port))
    await runVite(['preview', '--port', new URL(preview.url).port])
    await shows(second, 'Everything is sent.')
    await second.evaluate(`document.querySelector('li button').click()`)
    await second.waitFor(`document.querySelectorAll('li').length < 2`)
    await shows(second, 'Everything is sent.')
  }, 300_000)

  test('a new build appears at the next load, and tabs of the old one keep working with their files', async () => {
    const server = await serve()
    configure(server.url)
    await build()
    const preview = await runVite(['preview', '--port', '0'])
    const profile = await newProfile()
    const old = await profile.open(preview.url)
    await logIn(old)
    await old.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    const files = filesOfBuild()

    const main = readFileSync(join(folder.path, 'src/main.tsx'), 'utf8')
    write('src/main.tsx', main.replace('Not sent yet: ', 'Unsent: '))
    await build().finally(() => write('src/main.tsx', main))
    expect(files.filter(file => filesOfBuild().includes(file))).not.toEqual(files)
    await old.evaluate('navigator.serviceWorker.getRegistration().then(one => one.update()).then(() => undefined)')
    await old.waitFor('navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)')

    // Without the preview, every file comes from the service worker, and what is written waits.
    await preview.kill()
    expect(await statusOf(old, files)).toEqual(files.map(() => 200))
    await submit(old, { text: 'by the old build' })
    await shows(old, 'Not sent yet: 1')
    const next = await profile.open(preview.url)
    await shows(next, 'by the old build')
    await shows(next, 'Unsent: 1')
    expect(await statusOf(old, files)).toEqual(files.map(() => 200))

    await runVite(['preview', '--port', new URL(preview.url).port])
    await shows(old, 'Everything is sent.')
    await shows(next, 'Everything is sent.')
    await old.reload()
    await shows(old, 'by the old build')
    expect(await scriptOf(old)).toBe(await scriptOf(next))
  }, 300_000)

  test('under development the documented app reaches the server by the address that serves it', async () => {
    configure((await serve()).url)
    const development = await runVite(['dev', '--port', '0'])
    const profile = await newProfile()
    const tab = await profile.open(development.url)
    await logIn(tab)
    await submit(tab, { text: 'at a desk' })
    await shows(tab, 'at a desk')
    await shows(tab, 'Everything is sent.')
    expect(await tab.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')).toBe(0)
  }, 300_000)
})
