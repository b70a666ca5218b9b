import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@godwit/store-sqlite'
import { expect, test } from '@jest/globals'
import { checkStore, persistenceOf, replicasOf } from './store.js'

const undecided = { queued: 7, started: 0, in_doubt: 0 }

test('missing replicas are reported as a fault, and the required number is not', () => {
  expect(replicasOf({ replicas: undefined, undecided })).toEqual([])
  expect(replicasOf({ replicas: { wanted: 1, present: 2 }, undecided })).toEqual([
    { state: 'ok', about: 'replicas', says: '2 in sync, 1 must confirm each call' },
  ])
  expect(replicasOf({ replicas: { wanted: 2, present: 1 }, undecided })).toEqual([
    expect.objectContaining({
      state: 'warning',
      says: expect.stringMatching(/1 in sync, expected 2: .* 7 changes are waiting/),
    }),
  ])
})

test('a Redis without persistence is a warning with what to do', () => {
  expect(persistenceOf({})).toEqual([])
  expect(persistenceOf({ persists: true })).toMatchObject([{ state: 'ok' }])
  expect(persistenceOf({ persists: false })).toMatchObject([
    {
      state: 'warning',
      says: expect.stringMatching(/loses its data on restart/),
      todo: expect.stringMatching(/appendonly yes/),
    },
  ])
})

const onUnix = process.platform === 'win32' ? test.skip : test

onUnix('a store that other users of the machine may read is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-doctor-'))
  const path = join(folder, 'store.sqlite')
  await (await openSqliteStore(path)).close()
  const look = () => checkStore({ SYNC_STORE: `sqlite:${path}` })
  expect(await look()).toMatchObject([{ state: 'ok' }])
  chmodSync(path, 0o644)
  expect(await look()).toEqual([
    {
      state: 'warning',
      about: 'store',
      says: `other users of this machine can read ${path}, which contain hashes of passwords and tokens`,
      todo: expect.stringContaining(`chmod 600 ${path}`),
    },
  ])
  rmSync(folder, { recursive: true })
})

test('a store whose tables are not those of a released schema is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-doctor-'))
  const path = join(folder, 'store.sqlite')
  await (await openSqliteStore(path)).close()
  const file = new DatabaseSync(path)
  file.exec('DROP TABLE job')
  file.close()
  expect(await checkStore({ SYNC_STORE: `sqlite:${path}` })).toEqual([
    {
      state: 'problem',
      about: 'store',
      says: expect.stringMatching(/its tables were altered: expected fingerprint \w+ of schema \d+, got \w+/),
      todo: expect.stringContaining('Follow the message'),
    },
  ])
  rmSync(folder, { recursive: true })
})
