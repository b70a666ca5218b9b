import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient, type AuditCheck } from '@godwit/admin-client'
import { createSyncServer } from '@godwit/server'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { temporaryFolder } from '../harness/stores.js'

const ADMIN = { login: 'admin', password: 'a long admin password' }
const folder = temporaryFolder()
const whole = join(folder.path, 'whole.sqlite')

/** Runs a function with an admin client of a temporary server on the file. */
async function life<T>(path: string, use: (admin: AdminClient) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(path)
  const server = createSyncServer({ store, sources: [], admin: ADMIN, limits: { passwordCost: 16 } })
  const fetch: typeof globalThis.fetch = (url, request) => server.fetch(url as string, request)
  try {
    return await use(await AdminClient.login({ url: 'http://sync.test', ...ADMIN, fetch }))
  } finally {
    await server.close()
    await store.close()
  }
}

beforeAll(() =>
  life(whole, async admin => {
    for (const login of ['ada', 'grace', 'linus']) await admin.users.create({ login, password: 'a long one' })
    await admin.users.delete('grace')
    // The last entry of the file; the login of the check is recorded after it.
    await admin.store.write('motd', 'hello')
  }),
)
afterAll(() => folder.remove())

/** Returns the result of checking a copy of the file in which the SQL was run while no server was running. */
async function checked(name: string, sql: string): Promise<AuditCheck> {
  const path = join(folder.path, `${name}.sqlite`)
  copyFileSync(whole, path)
  const file = new BetterSqlite3(path)
  file.exec(sql)
  file.close()
  return life(path, admin => admin.operations.checkAudit())
}

/** Returns SQL that runs without the triggers that guard the audit, which are there again afterwards. */
function unguarded(sql: string): string {
  const file = new BetterSqlite3(whole, { readonly: true })
  const select = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'"
  const guards = file.prepare(select).all() as readonly { readonly name: string; readonly sql: string }[]
  file.close()
  if (guards.length === 0) throw new Error('expected triggers of the audit')
  return [...guards.map(({ name }) => `DROP TRIGGER ${name}`), sql, ...guards.map(guard => guard.sql)].join(';\n')
}

describe('the audit in a file', () => {
  test('is intact while no statement has changed it', async () => {
    const check = await checked('untouched', 'SELECT 1')
    expect(check).toMatchObject({ intact: true, checked: 7, head: { number: 7 } })
    const entries = await life(join(folder.path, 'untouched.sqlite'), admin => admin.operations.audit({ limit: 4 }))
    expect(entries.map(({ action, about }) => [action, about])).toEqual([
      ['system.login', {}],
      ['system.login', {}],
      ['store.write', { doc: 'motd', append: false }],
      ['users.delete', { user_id: 'grace' }],
    ])
  })

  test('refuses statements that update or delete', () => {
    const path = join(folder.path, 'guarded.sqlite')
    copyFileSync(whole, path)
    const file = new BetterSqlite3(path)
    expect(() => file.exec("UPDATE audit SET text = '' WHERE number = 2")).toThrow('only appended to')
    expect(() => file.exec('DELETE FROM audit')).toThrow('only appended to')
    file.close()
  })

  test('is refused at the start if its guards are gone', async () => {
    await expect(checked('unguarded', 'DROP TRIGGER audit_is_not_changed')).rejects.toThrow('its tables were altered')
  })

  test.each([
    [
      'changed',
      "UPDATE audit SET text = replace(text, 'grace', 'ada') WHERE number = 5",
      { number: 5, why: 'changed' },
    ],
    ['removed', 'DELETE FROM audit WHERE number = 5', { number: 5, why: 'missing' }],
    ['cut off', 'DELETE FROM audit WHERE number >= 6', { number: 6, why: 'missing' }],
    ['begun later', 'DELETE FROM audit WHERE number <= 2', { number: 2, why: 'missing' }],
    [
      'reordered',
      'UPDATE audit SET number = -2 WHERE number = 2; UPDATE audit SET number = 2 WHERE number = 3; UPDATE audit SET number = 3 WHERE number = -2',
      { number: 4, why: 'changed' },
    ],
  ])('detects that an entry was %s', async (name, sql, broken) => {
    expect(await checked(name, unguarded(sql))).toMatchObject({ intact: false, broken })
  })
})
