import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerState, StatsBucket } from '@godwit/admin-client'
import { openMemoryJobs, type Store } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'
import { until } from '@godwit/testing'
import { afterAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { signedIn } from './visit.js'
import { type ConsoleWorld, refuseVisit } from './world.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-overview-'))
let store: Store
const jobs = openMemoryJobs()
const opened = useConsole(async () => {
  store = await openSqliteStore(join(folder, 'store.sqlite'))
  return { store, jobs, objects: 400, users: 9, devices: 3 }
})
afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Three devices pull three sources each, one of them a fourth, one before its write that is refused, and one by a body. */
const PULLS = 12
/** The orders of one device, and that write. */
const PUSHES = 2

/** Name → value and the line below it. */
async function figuresOf(page: Page): Promise<ReadonlyMap<string, readonly [value: string, says: string]>> {
  const all = new Map<string, readonly [string, string]>()
  for (const stat of await page.locator('.stat').all()) {
    const says = (await stat.locator('small').textContent()) ?? ''
    const value = (await stat.locator('dd').textContent()) ?? ''
    all.set((await stat.locator('dt').textContent()) ?? '', [value.slice(0, value.length - says.length), says])
  }
  return all
}

/** What the server itself says, once it has counted again. */
async function stateWhen({ admin }: ConsoleWorld, isSo: (state: ServerState) => boolean): Promise<ServerState> {
  let state = await admin.system.state()
  await until(
    async () => {
      state = await admin.system.state()
      return isSo(state)
    },
    { every: 500 },
  )
  return state
}

/** `1.2 ms` and its kin, in seconds. */
function secondsOf(text: string): number {
  const [, value, unit] = /^([\d.]+) (µs|ms|s)$/.exec(text) ?? []
  return Number(value) * { µs: 1e-6, ms: 1e-3, s: 1 }[unit as 'µs' | 'ms' | 's']
}

/** How often routes were called in each minute. */
async function minutesOf({ admin }: ConsoleWorld, metrics: readonly string[]): Promise<readonly number[]> {
  const counts = new Map<number, number>()
  for (const metric of metrics)
    for (const { time, count } of (await admin.system.stats.read(metric, { start: -60 })) as readonly StatsBucket[])
      counts.set(time, count + (counts.get(time) ?? 0))
  return [...counts.values()]
}
const sum = (all: readonly number[]): number => all.reduce((some, one) => some + one, 0)

inBrowser(
  'each figure of the overview is what the server did, and its first look is no error',
  async () => {
    const { world, browser } = opened
    // One waits for an hour; what the other asks for is unknown to the workers, so it fails at once.
    await jobs.enqueue({ queue: 'late', id: 'one', kind: 'unknown', data: null, delay: 3_600_000 })
    await jobs.enqueue({ queue: 'query', id: 'two', kind: 'unknown', data: null, attempts: 1 })
    const listening = new AbortController()
    const { headers } = world.devices[0] as ConsoleWorld['devices'][number]
    const stream = await fetch(`${world.url}/rc/v1/app/events`, { headers: { ...headers }, signal: listening.signal })
    expect(stream.status).toBe(200)
    await refuseVisit(world, 1)
    await fetch(`${world.url}/app/v1/Visit/pull`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
    for (const login of ['who', 'else']) await world.admin.users.get(login).catch(() => {})
    const path = '/app/v1/<source_name>'
    const traffic = async (): Promise<readonly (readonly number[])[]> => [
      await minutesOf(world, [`http:GET:${path}`, `http:POST:${path}/pull`]),
      await minutesOf(world, [`http:POST:${path}`]),
    ]
    await until(async () => sum((await traffic()).map(sum)) >= PULLS + PUSHES, { every: 500 }).catch(() => {})
    const doubts = (await world.admin.operations.undecided()).filter(({ state }) => state === 'in_doubt').length
    const state = await stateWhen(
      world,
      ({ refusals, undecided, streams, jobs }) =>
        refusals + undecided.in_doubt + streams === doubts + 2 && jobs.dead === 1,
    )

    const { page } = await signedIn(browser, world, 'rita')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.stat').first().waitFor()
    const figures = await figuresOf(page)
    expect(figures.get('Devices')).toEqual(['3', '12 users'])
    expect(figures.get('Listening now')?.[0]).toBe('1')
    expect(figures.get('Mutations in doubt')).toEqual([String(doubts), '0 in progress · 1 refused in 30 days'])
    expect(figures.get('Pending jobs')).toEqual([String(state.jobs.waiting + state.jobs.running), '1 dead'])
    expect(state.jobs.waiting).toBeGreaterThanOrEqual(1)
    expect(figures.get('Store')?.[1]).toBe('durable')
    const [size, unit] = (figures.get('Store')?.[0] ?? '').split(' ') as [string, 'KiB' | 'MiB']
    const stored = Number(size) * { KiB: 1024, MiB: 1024 ** 2 }[unit]
    expect(Math.abs(stored / (state.store.bytes ?? 0) - 1)).toBeLessThan(0.1)
    expect(figures.get('Errors')?.[0]).toBe('3')
    const rowsOf = (title: string) =>
      page.locator('section.card', { hasText: title }).last().locator('tbody tr').allTextContents()
    expect(await rowsOf('Errors by type')).toEqual(['user_not_foundusers.get3'])

    expect(await rowsOf('Queues')).toEqual(['late100', 'query001'])
    const queues = [
      { queue: 'late', waiting: 1, running: 0, dead: 0 },
      { queue: 'query', waiting: 0, running: 0, dead: 1 },
    ]
    expect(state.queues).toEqual(queues)

    for (const [name, route, count] of [
      ['Pull latency, p99', 'device.pull', PULLS],
      ['Push latency, p99', 'device.push', PUSHES],
    ] as const) {
      const [p99, says] = figures.get(name) ?? ['', '']
      const [, p50 = '', p95 = '', times] = /^p50 (.*) · p95 (.*) · (\d+) total$/.exec(says) ?? []
      const known = state.requests.find(one => one.route === route)
      expect([times, known?.count]).toEqual([String(count), count])
      const displayed = [p50, p95, p99].map(secondsOf)
      for (const [place, exact] of [known?.p50, known?.p95, known?.p99].entries())
        expect(Math.abs((displayed[place] ?? 0) / (exact ?? 0) - 1)).toBeLessThan(0.06)
    }

    const minutes = await traffic()
    expect(minutes.map(sum)).toEqual([PULLS, PUSHES])
    const [pulls = '', pushes = ''] = minutes.map(all => (Math.max(...all) / 60).toFixed(2))
    await page.reload()
    await page.getByRole('img', { name: `Pulls per second: at most ${pulls}` }).waitFor()
    await page.getByRole('img', { name: `Pushes per second: at most ${pushes}` }).waitFor()

    const [process] = await page.getByRole('region', { name: 'Processes' }).locator('tbody tr').allTextContents()
    expect([process?.startsWith(state.version), process?.includes(state.process.slice(0, 8))]).toEqual([true, true])
    const warned = await page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').allTextContents()
    expect(warned).toHaveLength(state.warnings.length)
    for (const [place, { says, todo }] of state.warnings.entries()) {
      expect(warned[place]).toContain(says)
      expect(warned[place]).toContain(todo)
    }
    expect(state.warnings.map(({ about }) => about).sort()).toEqual(['Price', 'backend', 'jobs', 'mutations'])
    listening.abort()
    await page.close()
  },
  LONG,
)
