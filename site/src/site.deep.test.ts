import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ERROR_CODES } from '../../packages/protocol/src/errors/meanings.js'
import { addressOf, pathInSite, root, sitePages } from './pages.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-site-'))
beforeAll(() => {
  const program = join(root, 'site/node_modules/vitepress/bin/vitepress.js')
  const environment = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' }
  const words = [program, 'build', join(root, 'site'), '--outDir', folder]
  execFileSync(process.execPath, words, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')
const pages = (): readonly string[] => globSync('**/*.html', { cwd: folder })

/** Returns the file that a static host answers for a path: `/docs/errors` is `docs/errors.html`. */
const fileAt = (path: string): string | undefined =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map(file => file.replace(/^\//, ''))
    .find(file => /\.\w+$/.test(file) && existsSync(join(folder, file)))

const addressesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:a|img|link|script|source)\s[^<>]*?(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  )

test('every document is a page, also as Markdown', () => {
  const documents = ['docs', 'docs/operating', 'docs/decisions'].flatMap(path =>
    readdirSync(join(root, path))
      .filter(name => name.endsWith('.md'))
      .map(name => `${path}/${name}`),
  )
  expect(sitePages()).toEqual(expect.arrayContaining(documents))
  for (const file of sitePages()) {
    expect([file, fileAt(addressOf(file))]).toEqual([file, expect.any(String)])
    expect(textOf(pathInSite(file))).toMatch(/^# /m)
  }
})

test('every address leads to a file of the site, and to a heading that is there', () => {
  const broken = pages().flatMap(page =>
    addressesIn(textOf(page))
      .filter(address => !/^[a-z]+:/.test(address))
      .filter(address => {
        const [path = '', anchor] = address.split('#')
        const file =
          path === '' ? page : fileAt(decodeURI(path.startsWith('/') ? path : join('/', dirname(page), path)))
        if (file === undefined) return true
        return anchor !== undefined && anchor !== '' && !textOf(file).includes(`id="${decodeURIComponent(anchor)}"`)
      })
      .map(address => `${page}: ${address}`),
  )
  expect(broken).toEqual([])
})

test('every error code has an address', () => {
  const page = textOf('docs/errors.html')
  for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`id="${code}"`)
})

test('nothing is loaded from another host', () => {
  const foreign = pages().flatMap(page =>
    [...textOf(page).matchAll(/<(?:script|link|img|source)[^>]*(?:src|href|srcset)="https?:[^"]*"/g)].map(
      ([tag]) => `${page}: ${tag}`,
    ),
  )
  expect(foreign).toEqual([])
})

test('a picture that exists in dark is exchanged for it in dark mode', () => {
  expect(textOf('docs/console.html')).toMatch(/<img[^>]*light-only[^>]*>\s*<img[^>]*dark-only/)
})

test('programs find every guide in llms.txt, and previews a picture', () => {
  const addresses = [...textOf('llms.txt').matchAll(/\]\(\/([^)]*)\)/g)].map(([, path = '']) => path)
  expect(addresses.length).toBeGreaterThan(30)
  for (const path of addresses) expect(textOf('llms-full.txt')).toContain(textOf(path))
  expect(textOf('index.html')).toMatch(/property="og:image" content="[^"]*\/preview\.jpg"/)
  expect([existsSync(join(folder, 'preview.jpg')), existsSync(join(folder, '404.html'))]).toEqual([true, true])
})
