import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { startServer } from '../harness/server-process.js'
import { STORES } from '../harness/stores.js'

const models = {
  Price: defineModel('Price', { partition: 'app', sync: 'incremental', attributes: { text: t.string() } }),
  Order: defineModel('Order', { sync: 'incremental', attributes: { text: t.string() } }),
}
const SOURCES = ['Price', 'Order'] as const
/** Processes of one clock: the interval counts from the end of a query, and these are times of its begin. */
const TOLERANCE = 300

const folder = folderPerTest()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const write = (source: string, text: string): void => writeFileSync(join(folder.path, source), text)

/** The times of the queries of each source and user. */
function queries(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const line of readFileSync(join(folder.path, 'queries'), 'utf8').trim().split('\n')) {
    const [source = '', user = '', time] = line.split(' ')
    const key = source === 'Price' ? source : `${source} ${user}`
    found.set(key, [...(found.get(key) ?? []), Number(time)])
  }
  return found
}

/** Opens a device that listens and pulls only when it hears of a change. */
async function device(login: string, server: string) {
  const sdk = await openSdk({ directory: join(folder.path, login), server, models })
  closers.push(() => sdk.close())
  sdk.pollInterval = 3600
  await sdk.login(login, login)
  await sdk.sync()
  return sdk
}

describe.each(STORES)('a device that listens, over $name', ({ name, address }) => {
  test('has a change of the database within the interval and a second', async () => {
    for (const source of SOURCES) write(source, 'first')
    const store = await address(folder.path)
    // The longest where it matters most: two processes share the work.
    const seconds = name === 'Redis' ? 10 : 3
    const interval = seconds * 1000
    const environment = { DATABASE: folder.path, INTERVAL: `${seconds}` }
    const serve = () => startServer({ store, config: 'polled-orders.mjs', environment })
    const servers = name === 'Redis' ? [await serve(), await serve()] : [await serve()]
    const logins = ['ada', 'grace', 'linus']
    const devices = await Promise.all(logins.map((login, at) => device(login, servers[at % servers.length]?.url ?? '')))
    for (const text of ['second', 'third']) {
      await new Promise(resolve => setTimeout(resolve, 500 + Math.random() * interval))
      for (const source of SOURCES) write(source, text)
      const written = performance.now()
      const has = (): boolean =>
        devices.every(sdk => SOURCES.every(source => sdk.models[source].find()[0]?.text === text))
      await until(has, { within: 20_000 })
      expect(performance.now() - written).toBeLessThan(interval + 1000)
    }
    const found = queries()
    expect([...found.keys()].sort()).toEqual(['Order ada', 'Order grace', 'Order linus', 'Price'])
    for (const times of found.values()) {
      expect(times.length).toBeGreaterThanOrEqual(3)
      for (const [at, time] of times.slice(1).entries())
        expect(time - (times[at] ?? 0)).toBeGreaterThan(interval - TOLERANCE)
    }
    for (const close of closers.splice(0)) await close()
    await new Promise(resolve => setTimeout(resolve, 500))
    const before = readFileSync(join(folder.path, 'queries'), 'utf8')
    await new Promise(resolve => setTimeout(resolve, interval + 1000))
    expect(readFileSync(join(folder.path, 'queries'), 'utf8')).toBe(before)
  }, 120_000)
})
