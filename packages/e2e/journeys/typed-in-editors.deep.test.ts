import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Editor, lspEditor, tsserverEditor } from '../harness/editor.js'
import { inRepository } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

const SETTINGS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2023',
  noEmit: true,
  types: [],
}

const APP = `import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'

const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  attributes: { name: t.string(), country: t.string(), population: t.integer() },
  textSearch: ['name'],
})
const Visit = defineModel('Visit', {
  sync: 'incremental',
  attributes: {
    cityId: t.belongsTo(City, { as: 'city', serverName: 'city_id' }),
    note: t.string().default(''),
    rating: t.integer().optional(),
    mood: t.enum(['good', 'bad']).optional(),
    tags: t.json<readonly string[]>().default([]),
    visitedAt: t.timestamp({ serverName: 'visited_at' }),
  },
})
const sdk = await openSdk({ directory: 'ada', server: 'http://127.0.0.1:8675', models: { City, Visit } })
const visits = sdk.models.Visit
`

const folder = temporaryFolder()
const file = join(folder.path, 'app.ts')

/** Creates an app developer's folder after `npm install @godwit/model`: empty, with strict TypeScript. */
beforeAll(() => {
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: SETTINGS, include: ['*.ts'] }))
  writeFileSync(file, APP)
  for (const name of ['protocol', 'model']) install(name)
}, 300_000)
afterAll(() => folder.remove())

/** Installs a package with its declarations, which `build --stale` omits. */
function install(name: string): void {
  const workspaceFolder = inRepository(`packages/${name}`)
  const place = join(folder.path, 'node_modules/@godwit', name)
  const built = `dist.editors.${process.pid}`
  const tsup = join(realpathSync(inRepository('node_modules/tsup')), 'dist/cli-default.js')
  try {
    execFileSync(process.execPath, [tsup, '--config', inRepository('tsup.config.ts')], {
      cwd: workspaceFolder,
      env: { ...process.env, BUILD_OUT: built, BUILD_TYPES: 'yes' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const pack = ['pack', workspaceFolder, '--json', '--ignore-scripts', '--offline']
    const printed = execFileSync('npm', pack, {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename }] = JSON.parse(printed)
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder.path, filename), '-C', place, '--strip-components=1'])
    rmSync(join(place, 'dist'), { recursive: true, force: true })
    cpSync(join(workspaceFolder, built), join(place, 'dist'), { recursive: true })
  } finally {
    rmSync(join(workspaceFolder, built), { recursive: true, force: true })
  }
}

const require = createRequire(import.meta.url)
const EDITORS: readonly (readonly [name: string, open: () => Editor | Promise<Editor>])[] = [
  [
    'TypeScript 6 by tsserver',
    () => tsserverEditor(inRepository('node_modules/typescript/lib/tsserver.js'), folder.path, file),
  ],
  [
    'TypeScript 7 by the Language Server Protocol',
    () =>
      lspEditor(
        [require.resolve('typescript-7/package.json').replace('package.json', 'bin/tsc'), '--lsp', '--stdio'],
        folder.path,
        file,
      ),
  ],
]

const OFFERED: readonly (readonly [line: string, names: string])[] = [
  ['visits.find({ | })', 'conditions limit offset order search select with'],
  ["visits.find({ select: ['|'] })", 'cityId mood note rating tags visitedAt'],
  ['visits.find({ with: { | } })', 'city'],
  ['visits.find({ with: { city: { | } } })', 'select with'],
  ["visits.find({ with: { city: { select: ['|'] } } })", 'country name population'],
  ['visits.find({ conditions: { | } })', 'and city cityId id mood note or rating sql visitedAt'],
  ['visits.find({ conditions: { city: { | } } })', 'and country id name or population sql'],
  ["visits.find({ conditions: { mood: '|' } })", 'bad good'],
  ['visits.find({ order: { | } })', 'cityId id mood note rating visitedAt'],
  ['visits.create({ | })', 'cityId mood note rating tags visitedAt'],
  ["visits.find({ conditions: { visitedAt: { '|' } } })", '< <= <> = > >= in not in'],
  ["sdk.sync({ models: ['|'] })", 'City Visit'],
  ["sdk.sync('|')", 'City Visit'],
  ['visits.find({ with: { city: true } })[0]?.city?.|', 'country id name population'],
]

/** Lines with errors and their messages; `|` marks the position of the error. */
const MISTAKES: readonly (readonly [line: string, message: RegExp])[] = [
  ["visits.create(|{ cityId: '1' })", /Property 'visitedAt' is missing in type '{ cityId: string; }'/],
  ["visits.create({ cityId: '1', |visitedAt: '2026-01-01' })", /'string' is not assignable to type 'Date'/],
  [
    "visits.create({ cityId: '1', visitedAt: new Date(), |comment: '' })",
    /'comment' does not exist in type 'CreateAttributes<"Visit"/,
  ],
  ["visits.update('1', { |comment: '' })", /'comment' does not exist in type 'UpdateAttributes<"Visit"/],
  ["visits.update('1', { |mood: 'so-so' })", /not assignable to type '("good"|"bad")/],
  ["visits.find({ select: [|'comment'] })", /'"comment"' is not assignable to type/],
  ['visits.find({ with: { |town: true } })', /'town' does not exist in type 'With<"Visit"/],
  [
    'visits.find({ with: { city: true, |town: true } })',
    /^Type 'boolean' is not assignable to type 'NoRelation<"town", "city">'/,
  ],
  ["visits.find({ conditions: { |rating: '4' } })", /to type 'number \| Comparison<number, null>/],
  [
    "visits.find({ conditions: { |city: 'Paris' } })",
    /'string' has no properties in common with type 'Conditions<"City"/,
  ],
  ["visits.find({ conditions: { city: { |note: 'x' } } })", /'note' does not exist in type 'Conditions<"City"/],
  ["visits.find({ order: { |comment: 'asc' } })", /'comment' does not exist in type 'Order<"Visit"/],
  ["visits.find({ order: { |note: 'up' } })", /not assignable to type 'Direction/],
  ["visits.find({ |search: 'par' })", /declare textSearch in this model to search it/],
  ['sdk.models.|Town', /'Town' does not exist/],
  [
    "openSdk({ directory: '', server: '', models: { |Visit } })",
    /Visit belongs to City, which is not among the models/,
  ],
  [
    "defineModel('Bad', { attributes: { |tags: t.json<string[]>() } })",
    /no attribute before \.optional\(\) or \.default/,
  ],
]

describe.each(EDITORS)('an app in an empty folder, with %s', (_, open) => {
  let editor: Editor
  beforeAll(async () => {
    editor = await open()
  })
  afterAll(() => editor.close())

  test('offers attributes, relations, conditions and models', async () => {
    for (const [line, names] of OFFERED) {
      const text = `${APP}${line}`
      const at = text.lastIndexOf('|')
      const offered = await editor.completions(text.slice(0, at) + text.slice(at + 1), at)
      expect({ line, names: [...offered].sort().join(' ') }).toEqual({ line, names })
    }
  }, 120_000)

  test('marks mistakes at their tokens, and nothing else', async () => {
    expect(await editor.problems(APP)).toEqual([])
    for (const [line, message] of MISTAKES) {
      const at = APP.length + line.indexOf('|')
      const problems = await editor.problems(`${APP}${line.replace('|', '')}`)
      expect({ line, problems }).toEqual({ line, problems: [{ at, message: expect.stringMatching(message) }] })
    }
  }, 120_000)
})
