import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { postgresIsThere, type RunningPostgres, startPostgres, until } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { endAll } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const models = {
  Order: defineModel('Order', { partition: 'app', sync: 'incremental', attributes: { product: t.string() } }),
  Careless: defineModel('Careless', { sync: 'incremental', attributes: {} }),
  Interrupting: defineModel('Interrupting', { sync: 'incremental', attributes: {} }),
}

const whenThere = postgresIsThere() ? describe : describe.skip

whenThere('an error outside of any call', () => {
  let postgres: RunningPostgres
  let server: ServerProcess
  let devices = 0
  const folder = temporaryFolder()
  beforeAll(async () => {
    postgres = await startPostgres()
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(
      "CREATE TABLE orders (id SERIAL PRIMARY KEY, product TEXT); INSERT INTO orders (product) VALUES ('beans')",
    )
    await client.end()
  }, 60_000)
  beforeEach(async () => {
    const environment = { POSTGRES: postgres.url, NODE_ENV: 'development' }
    server = await startServer({ store: 'memory:', config: 'postgres-orders.mjs', environment })
  })
  afterEach(endAll)
  afterAll(async () => {
    await postgres?.stop()
    folder.remove()
  })

  const admin = async (): Promise<AdminClient> => {
    const { token } = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
    return new AdminClient({ url: server.url, token })
  }
  const logged = (): readonly { readonly [name: string]: unknown }[] =>
    server
      .output()
      .error.split('\n')
      .filter(line => line.includes('an error outside of any call'))
      .map(line => JSON.parse(line))
  const metrics = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text()
  const warnings = async () => (await (await admin()).system.state()).warnings
  const device = async () => {
    const sdk = await openSdk({ directory: join(folder.path, `${++devices}`), server: server.url, models })
    sdk.pollInterval = 0
    await sdk.login('ada', 'ada')
    return sdk
  }

  test('of an idle connection of pg, which PostgreSQL ends, is one line, and the server continues', async () => {
    const sdk = await device()
    await sdk.sync('Order')
    await postgres.restart()
    await until(() => logged().length > 0)
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 'error',
        module: 'pg',
        error: 'terminating connection due to administrator command',
        advice: "Handle the errors of BoundPool: .on('error', error => …)",
        msg: 'an error outside of any call: the server continues',
      }),
    ])
    sdk.models.Order.create({ product: 'rice' })
    await sdk.sync('Order')
    expect(
      sdk.models.Order.find()
        .map(({ product }) => product)
        .sort(),
    ).toEqual(['beans', 'rice'])
    await sdk.close()
    expect(await metrics()).toContain('godwit_stray_errors_total{module="pg"} 1')
    expect(await warnings()).toContainEqual({
      about: 'pg',
      says: expect.stringMatching(/^1 error outside of any call, most recently at \S+Z: terminating connection due to/),
      todo: expect.stringContaining("'error' events"),
    })
    await server.kill('SIGTERM')
    expect(await server.exit).toEqual({ code: 0, signal: null })
  })

  test("of a source's promise and of its timer is one line each, with its file", async () => {
    const sdk = await device()
    await sdk.sync('Careless')
    await until(() => logged().length > 1)
    expect(logged()).toEqual([
      expect.objectContaining({
        module: expect.stringMatching(/\/configs\/postgres-orders\.mjs$/),
        advice: 'Await the promise, or add .catch(error => …) to it',
      }),
      expect.objectContaining({
        module: expect.stringMatching(/\/configs\/postgres-orders\.mjs$/),
        error: 'nobody',
        advice: 'Catch the errors of timers, callbacks and listeners',
      }),
    ])
    expect(await metrics()).toMatch(/^godwit_stray_errors_total\{module=".*postgres-orders\.mjs"\} 2$/m)
    await sdk.close()
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test("that interrupts Godwit's own code ends the server in order, with 1", async () => {
    const sdk = await device()
    await sdk.sync('Interrupting').catch(() => {})
    await sdk.close()
    expect(await server.exit).toEqual({ code: 1, signal: null })
    expect(logged()).toEqual([
      expect.objectContaining({
        error: 'the abort is disturbed',
        msg: 'an error outside of any call: the server exits so that it can be restarted',
      }),
    ])
    expect(server.output().error).toContain('Stopping after the current requests')
  })
})
