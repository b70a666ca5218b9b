import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'
import { FILES, type File, writtenBy } from './files.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

test.each<readonly [sql: string, files: readonly File[]]>([
  ['SELECT * FROM "user".outbox', []],
  ['PRAGMA "user".synchronous = NORMAL', []],
  ['INSERT INTO "user"."bag_City" VALUES (?) ON CONFLICT (object) DO UPDATE SET name = 1', ['user']],
  ['INSERT OR REPLACE INTO app.blob_own SELECT * FROM "user".blob_own', ['app']],
  ['WITH one AS (SELECT 1) DELETE FROM "local".link WHERE model IN one', ['local']],
  ['update or ignore "main".setting SET value = ?', ['main']],
  ['CREATE TABLE IF NOT EXISTS "app".x (y); DROP INDEX IF EXISTS "user".z', ['app', 'user']],
  ['CREATE UNIQUE INDEX "local"."i" ON t (a)', ['local']],
  ['ALTER TABLE "app"."bag_City" ADD COLUMN entry INTEGER', ['app']],
  // A statement that names no file may write any.
  ['DELETE FROM outbox', FILES],
])('%s', (sql, files) => {
  expect(writtenBy(sql)).toEqual(files)
})

test('a transaction lists every file that it wrote', async () => {
  const directory = directories.make()
  const definitions = [
    definition('Owner'),
    definition('Shared', { partition: 'app', belongsTo: { owner: 'Owner' } }),
    definition('Local', { partition: 'local', syncType: 'none' }),
  ]
  const { parts, device, sdk } = openOn(await driveOn('better-sqlite3', directory), new FakeServer(), definitions)
  const { database } = parts
  const content = (file: File): string => {
    const path = join(directory, `${file === 'main' ? 'device' : file}.sqlite-wal`)
    return existsSync(path) ? readFileSync(path).toString('base64') : ''
  }
  const [owner, shared, local] = ['Owner', 'Shared', 'Local'].map(name => device.find(name))
  const writes: readonly (() => unknown)[] = [
    () => owner?.insert({ name: 'a' }, 'o'),
    () => shared?.insert({ owner: 'o' }, 's'),
    () => local?.insertMany([{ a: 1 }, { a: 2 }]),
    () => [owner?.change('o', { name: 'b' }), local?.destroy('none')],
    () => [shared?.destroy('s'), owner?.destroy('o')],
    () => local?.read({ order: [] }),
    () => parts.session.setClientId('c'),
    () => sdk.addModel('Late', model => void model.enable('sync')),
    () => sdk.databaseFullReset(),
  ]
  for (const write of writes) {
    const before = FILES.map(content)
    const recorded = database.transaction(() => {
      write()
      return new Set(database.writtenFiles)
    })
    const changed = FILES.filter((file, at) => content(file) !== before[at])
    expect([...recorded]).toEqual(expect.arrayContaining(changed))
  }
  await sdk.close()
})
