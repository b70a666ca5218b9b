import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endAll, inRepository, start } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

const folder = temporaryFolder()

/** An app that opens a device, writes and reads; prints the SQLite that it used. */
const APP = `
import { createRequire } from 'node:module'
import { openSdk } from '@godwit/model/node'
const sdk = await openSdk({ directory: process.argv[2], server: 'http://127.0.0.1:9' })
const Product = sdk.addModel('Product', model => model.setModelProperty('price', 'Float'))
Product.create({ name: 'Phone', price: 5.5 })
Product.create({ name: 'Watch', price: 10 })
const names = Product.find('all', { order: 'price', orderdir: 'DESC' }).map(record => record.get('name'))
await sdk.close()
const drivers = [
  process.moduleLoadList.some(name => name.endsWith(' sqlite')) && 'node:sqlite',
  Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('better-sqlite3')) && 'better-sqlite3',
]
console.log(JSON.stringify({ names, drivers: drivers.filter(Boolean) }))
`

/** Creates a folder with only the packages, as npm would unpack them. */
beforeAll(() => {
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(folder.path, 'app.js'), APP)
  for (const name of ['protocol', 'model']) {
    const pack = ['pack', inRepository(`packages/${name}`), '--json', '--ignore-scripts', '--offline']
    const [{ filename }] = JSON.parse(
      execFileSync('npm', pack, { cwd: folder.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    const place = join(folder.path, 'node_modules/@godwit', name)
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder.path, filename), '-C', place, '--strip-components=1'])
  }
})
afterAll(async () => {
  await endAll()
  folder.remove()
})

async function run(device: string) {
  const app = start(join(folder.path, 'app.js'), [join(folder.path, device)])
  const [line] = await app.line(/\{.*\}/)
  await app.exit
  return JSON.parse(line)
}

describe('@godwit/model', () => {
  test('without a driver uses the SQLite built into Node', async () => {
    expect(await run('first')).toEqual({ names: ['Watch', 'Phone'], drivers: ['node:sqlite'] })
  })

  test('prefers better-sqlite3 where it is installed', async () => {
    const library = realpathSync(inRepository('packages/model/node_modules/better-sqlite3'))
    symlinkSync(library, join(folder.path, 'node_modules/better-sqlite3'), 'dir')
    expect(await run('second')).toEqual({ names: ['Watch', 'Phone'], drivers: ['better-sqlite3'] })
  })
})
