import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from '../../scripts/workspace.ts'
import { buildSite } from './build.ts'

const folder = mkdtempSync(join(tmpdir(), 'godwit-site-'))
let pages: readonly string[] = []
beforeAll(async () => {
  pages = await buildSite({ folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8')
const addressesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<[a-z][^<>]* (?:href|src|srcset)="([^"]*)"/g)].map(([, address = '']) => address)

test('every document is a page', () => {
  const documents = ['docs', 'docs/operating', 'docs/decisions'].flatMap(path =>
    readdirSync(join(root, path))
      .filter(name => name.endsWith('.md'))
      .map(name => `${path}/${name.replace('README.md', 'index.md').replace(/\.md$/, '.html')}`),
  )
  expect(pages).toEqual(expect.arrayContaining(documents))
  for (const page of pages) expect(textOf(page)).toMatch(/^<!doctype html>\n<html lang="en">/)
})

test('every address leads to a file of the site, and to a heading that is there', () => {
  const broken = pages.flatMap(page =>
    addressesIn(textOf(page))
      .filter(address => !/^[a-z]+:/.test(address))
      .filter(address => {
        const [path = '', anchor] = address.split('#')
        const file = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(folder, file))) return true
        return anchor !== undefined && !textOf(file).includes(`id="${anchor}"`)
      })
      .map(address => `${page}: ${address}`),
  )
  expect(broken).toEqual([])
})

test('nothing is loaded from another host', () => {
  const foreign = pages.flatMap(page =>
    [...textOf(page).matchAll(/<(?:script|link|img|source)[^>]*(?:src|href|srcset)="https?:[^"]*"/g)].map(
      ([tag]) => tag,
    ),
  )
  expect(foreign).toEqual([])
})

test('the front page shows the code and the limits of the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const words = textOf('index.html').replace(/<[^>]*>/g, '')
  expect(words).toContain(/```ts\n(.*)\n/.exec(readme)?.[1])
  const limit = /## Who it is not for\n\n- ([^\n:]*):/.exec(readme)?.[1]
  expect(limit).toBeDefined()
  expect(words).toContain(limit)
})

test('links to source files are text, or lead to the repository where it is named', async () => {
  expect(textOf('SECURITY.html')).not.toMatch(/href="[^"]*\.test\.ts"/)
  const other = mkdtempSync(join(tmpdir(), 'godwit-site-'))
  try {
    await buildSite({ folder: other, repository: 'https://example.com/godwit/blob/main/' })
    expect(readFileSync(join(other, 'SECURITY.html'), 'utf8')).toContain(
      'href="https://example.com/godwit/blob/main/apps/server/src/config.test.ts"',
    )
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
})
