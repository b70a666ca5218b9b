import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { loadConfig } from './load-config.js'

const directory = mkdtempSync(join(tmpdir(), 'godwit-config-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
function file(text: string, extension = 'mjs'): string {
  const path = join(directory, `godwit-${files++}.config.${extension}`)
  writeFileSync(path, text)
  return path
}

const load = (text: string, extension?: string) => loadConfig(file(text, extension), { development: true })
const note = "{ name: 'Note', query: () => ({}) }"

describe('a configuration file', () => {
  test('may be an object', async () => {
    expect(await load("export default { origins: ['https://app.example'], limits: { sessionLife: 60 } }")).toEqual({
      sources: [],
      origins: ['https://app.example'],
      limits: { sessionLife: 60 },
    })
  })

  test.each(['', 'async '])('may be an %sfunction, which needs no import', async kind => {
    const config = await load(
      `export default ${kind}({ defineSource, development }) => ({ sources: development ? [defineSource(${note})] : [] })`,
    )
    expect(config.sources.map(({ name }) => name)).toEqual(['Note'])
  })

  test('may name identity providers', async () => {
    const config = await load(
      `export default ({ passwords, oidc, jwt }) => ({ auth: [
        passwords(),
        oidc({ issuer: 'https://login.example.com', audience: 'godwit', login: 'email' }),
        jwt({ issuer: 'https://other.example.com', audience: 'godwit', secret: 'x'.repeat(32) }),
      ] })`,
    )
    expect(config.auth?.map(({ kind }) => kind)).toEqual(['passwords', 'tokens', 'tokens'])
  })

  test('may be TypeScript', async () => {
    expect(
      await load(
        "const origin: string = 'https://app.example'\nexport default { origins: [origin] as readonly string[] }",
        'ts',
      ),
    ).toMatchObject({
      origins: ['https://app.example'],
    })
  })

  test.each([
    [
      'export const sources = []',
      'expected a default export that is (or makes) { sources, authenticate, auth, backend, dynamicSources, limits, origins, trustProxy, push, pushProviders, pushFallback }, got nothing.',
    ],
    ['export default []', 'got an array.'],
    ['export default () => {}', 'got nothing.'],
    [
      'export default { source: [] }',
      'expected the members sources, authenticate, auth, backend, dynamicSources, limits, origins, trustProxy, push, pushProviders, pushFallback, got source.',
    ],
    [`export default { sources: [${note}] }`, 'sources: expected an array of sources made by defineSource, got '],
    ['export default { authenticate: true }', 'authenticate: expected a function, got a boolean.'],
    ['export default { auth: {} }', 'auth: expected an array of passwords(), oidc(…) and jwt(…), got an object.'],
    [
      "export default ({ oidc }) => ({ auth: [oidc({ issuer: 'x', audience: 'y' })] })",
      'oidc.issuer: expected an https address',
    ],
    ['export default { limits: 5 }', 'limits: expected an object, got a number.'],
    ["export default { origins: 'https://app.example' }", 'origins: expected an array of strings, got '],
    ["throw new Error('no database address')", 'no database address'],
  ])('%s is refused: %s', async (text, words) => {
    await expect(load(text)).rejects.toThrow(words)
  })

  test.each([
    ['line 2', "export default () => {\n  throw new Error('no database')\n}", 'no database (at line 2, column 9)'],
    ['line 1', "throw new Error('no address')", 'no address (at line 1, column 7)'],
    [
      'node --check',
      'export default ({ defineSource ) => 1',
      /Unexpected token '\)'\. `node --check .*` shows the line\./,
    ],
    ['the member', 'export default { limits: 5 }', /limits: expected an object, got a number\.$/],
  ])('that fails is told with %s', async (_place, text, words) => {
    await expect(load(text)).rejects.toThrow(words)
  })

  test('is named when it cannot be read', async () => {
    const path = file('export default []')
    await expect(loadConfig(path, { development: true })).rejects.toThrow(`SYNC_CONFIG: ${path}: `)
    await expect(loadConfig(join(directory, 'missing.mjs'), { development: true })).rejects.toThrow(
      'SYNC_CONFIG: there is no file',
    )
    await expect(loadConfig('godwit.json', { development: true })).rejects.toThrow(
      'SYNC_CONFIG: expected a .js, .mjs or .ts file, got godwit.json.',
    )
  })
})
