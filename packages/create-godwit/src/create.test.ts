import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { APPS, type App, BACKENDS, type Backend } from './choices.js'
import { create } from './create.js'
import { main } from './main.js'
import { readChoices } from './read-choices.js'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'create-godwit-'))
})
afterAll(() => rmSync(root, { recursive: true }))

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => statSync(join(folder, name)).isFile())
const combinations = (Object.keys(APPS) as App[]).flatMap(app =>
  (Object.keys(BACKENDS) as Backend[]).map(backend => [app, backend] as const),
)

describe.each(combinations)('an app of %s with the backend %s', (app, backend) => {
  let folder: string
  beforeAll(() => {
    folder = join(root, `${app}-${backend}`)
    create({ folder, app, backend, ...(backend === 'sql' && { database: 'sqlite:shop.db' }) })
  })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  test('has at most 400 lines, and every file that its files import', () => {
    const files = filesOf(folder)
    const lines = files.map(name => read(name).trimEnd().split('\n').length)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(400)
    const imported = files.flatMap(name =>
      [...read(name).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(folder, name, '..', path)),
    )
    // `godwit sql init` writes the models of tables.
    const written = backend === 'sql' ? [join(folder, 'models.ts')] : []
    expect(imported.filter(path => !existsSync(path) && !written.includes(path))).toEqual([])
  })

  test('installs the packages that it imports, and names itself', () => {
    const { name, scripts, dependencies, devDependencies } = JSON.parse(read('package.json'))
    const packages = Object.keys({ ...dependencies, ...devDependencies })
    const code = filesOf(folder).filter(one => /\.(tsx?|mjs)$/.test(one))
    const imported = code.flatMap(one =>
      [...read(one).matchAll(/from '(@?[a-z][^':]*)'/g)].map(([, path = '']) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    )
    expect(imported.filter(one => !packages.includes(one))).toEqual([])
    expect(name).toBe(`${app}-${backend}`)
    expect(scripts.dev).toContain(app === 'node' ? 'godwit dev app.ts' : 'godwit dev')
    expect(code.filter(one => read(one).includes('my-app'))).toEqual([])
    expect(existsSync(join(folder, '.gitignore'))).toBe(true)
  })
})

test('versions of other packages are those that this workspace tests with', () => {
  const folder = join(root, 'react-json')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const catalog = readFileSync(new URL('../../../pnpm-workspace.yaml', import.meta.url), 'utf8')
  const majorOf = (name: string) => new RegExp(`^ {2}"?${name}"?: (\\d+)\\.`, 'm').exec(catalog)?.[1]
  for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies }))
    if (!name.includes('godwit')) expect([name, range]).toEqual([name, `^${majorOf(name)}.0.0`])
})

describe('the command', () => {
  const run = async (...words: string[]) => {
    const texts = { stdout: '', stderr: '' }
    const writer = (name: keyof typeof texts) => ({
      write(text: string) {
        texts[name] += text
      },
    })
    const host = { env: {}, stdin: process.stdin, stdout: writer('stdout') as never, stderr: writer('stderr') }
    return { code: await main(words, { ...host, stdin: { ...host.stdin, isTTY: false } as never }), ...texts }
  }

  test('takes React and JSON files where nothing is said, and names the next steps', async () => {
    const { code, stdout } = await run(join(root, 'plain'), '--no-install')
    expect([code, stdout]).toEqual([0, expect.stringContaining('  npm install\n  npm run dev\n')])
    expect(existsSync(join(root, 'plain/src/List.tsx'))).toBe(true)
  })

  test('refuses a folder with files, and changes none of them', async () => {
    const folder = mkdtempSync(join(root, 'full-'))
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    expect(await run(folder, '--no-install')).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') })
    expect(readdirSync(folder)).toEqual(['mine.txt'])
  })

  test.each([
    [['x', '--app', 'vue'], '--app: expected react, node, got vue.'],
    [['x', '--backend', 'json', '--database', 'postgres://a'], '--database: expected the backend sql, got json.'],
    [['x', '--backend', 'sql'], '--database: expected postgres://…, mysql://… or sqlite:FILE, got nothing.'],
    [['x', 'y'], 'expected one name, got x y.'],
    [['x', '--flag'], "Unknown option '--flag'"],
  ])('refuses %j', async (words, message) => {
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('asks for what is not given', async () => {
    const questions: string[] = []
    const answers = ['shop', 'node', 'sql', 'mysql://127.0.0.1/shop']
    const choices = await readChoices([], async question => {
      questions.push(question)
      return answers[questions.length - 1] ?? ''
    })
    expect(choices).toEqual({ folder: 'shop', app: 'node', backend: 'sql', database: answers[3], install: true })
    expect(questions).toHaveLength(4)
  })

  test('keeps the address of a database where only its owner reads it', () => {
    const folder = join(root, 'react-sql')
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain("DATABASE_URL='sqlite:shop.db'")
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('.env\n')
  })
})
