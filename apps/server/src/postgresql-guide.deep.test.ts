import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresIsThere, type RunningPostgres, startPostgres, until } from '@godwit/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from './connect-database.js'
import { openDevice, type TestDevice } from './testing/device.js'
import { type Godwit, workshop } from './testing/run-godwit.js'

const whenThere = postgresIsThere() ? describe : describe.skip
const guide = readFileSync(fileURLToPath(new URL('../../../docs/postgresql.md', import.meta.url)), 'utf8')
/** The blocks of the guide in a language. */
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)

whenThere('the guide to PostgreSQL', () => {
  const shop = workshop()
  let postgres: RunningPostgres
  let db: Kysely<object>
  let server: Godwit
  let device: TestDevice
  beforeAll(async () => {
    postgres = await startPostgres()
    db = connectDatabase<object>(postgres.url)
  }, 60_000)
  afterAll(async () => {
    await shop.clear()
    await db?.destroy()
    await postgres?.stop()
  })
  const godwit = async (words: string) => {
    const environment = {
      DATABASE_URL: postgres.url,
      SYNC_CONFIG: words.includes('init') ? undefined : 'godwit.config.mjs',
    }
    const { code, stdout, stderr } = await shop.run({ words: words.split(' '), environment }).ended
    expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' })
    return stdout
  }
  const orders = async (): Promise<Record<string, object>> =>
    ((await (await device.pull('Order')).json()) as { insert?: Record<string, object> }).insert ?? {}

  test('leads from a table to its rows on a device, and a change of the table follows', async () => {
    const [create = '', change = ''] = blocks('sql')
    for (const statement of create.split(';\n')) if (statement.trim() !== '') await sql.raw(statement).execute(db)
    expect(await godwit('sql init')).toContain('wrote godwit.config.mjs')
    const config = readFileSync(join(shop.folder, 'godwit.config.mjs'), 'utf8')
    expect(config.slice(config.indexOf('export'))).toBe(blocks('js')[0])
    expect(readFileSync(join(shop.folder, 'models.ts'), 'utf8')).toContain('amount: t.integer()')
    expect(await godwit('sql install --dry-run')).toContain('CREATE TRIGGER')
    await godwit('sql install')
    expect(await godwit('sql status')).toContain('Order, table orders: installed\nchange log: 0 unread changes')
    server = shop.run({
      environment: { DATABASE_URL: postgres.url, SYNC_CONFIG: 'godwit.config.mjs', SYNC_STORE: 'memory:' },
    })
    device = await openDevice(await server.listening, 'ada')
    expect(await orders()).toEqual({ 1: { product: 'Lamp', amount: 2 } })
    await sql.raw(change).execute(db)
    await until(async () => JSON.stringify(await orders()).includes('"amount":3'), { every: 50, within: 20_000 })
  })

  test('tells devices what the database refuses, and writes what it accepts', async () => {
    const { epoch } = (await (await device.pull('Order', '?p_size=0')).json()) as { epoch: string }
    const push = async (number: number, attributes: object) => {
      const mutation = {
        number,
        key: `key of change ${number} of ada`,
        operation: 'create',
        object: `t${number}`,
        attributes,
      }
      const answer = await device.push('Order', { epoch, acknowledged: 0, mutations: [mutation] })
      return ((await answer.json()) as { outcomes: readonly object[] }).outcomes.at(-1)
    }
    expect(await push(1, { product: 'Desk', amount: 1 })).toMatchObject({ status: 'applied', link: '3' })
    expect(await push(2, { product: 'Desk', amount: 0 })).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('orders_amount_check') },
    })
    const { rows } = await sql`SELECT user_login, product FROM orders ORDER BY id`.execute(db)
    expect(rows.at(-1)).toEqual({ user_login: 'ada', product: 'Desk' })
  })

  test('removes everything from the database but the table and the keys of writes', async () => {
    await server.stop()
    await godwit('sql remove')
    const { rows } =
      await sql`SELECT 1 FROM pg_trigger WHERE tgname LIKE 'godwit%' UNION SELECT 1 FROM pg_namespace WHERE nspname = 'godwit'`.execute(
        db,
      )
    expect(rows).toEqual([])
  })
})
