import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { percentile } from '../measure.js'
import { items } from '../objects.js'
import { godwit } from '../systems/godwit.js'
import type { System } from '../systems/system.js'
import { withSystem } from './with-system.js'
import type { Workload } from './workload.js'

const attributes = Object.fromEntries(Array.from({ length: 6 }, (_, name) => [`attribute_${name}`, t.string()]))
const models = {
  Item: defineModel('Item', { sync: 'incremental', attributes }),
  /** A model whose backend accepts repeated writes. */
  Again: defineModel('Again', { sync: 'incremental', attributes }),
}
type Name = keyof typeof models

/** Number of device pairs, used in turn: a device that writes continuously sends at most once a second. */
const PAIRS = 40
/** Milliseconds between two writes of one device, since a model with more than 20 writes a minute is delayed. */
const PAUSE = 4000

const open = (folder: string, url: string) =>
  openSdk({ directory: mkdtempSync(join(folder, 'device-')), server: url, models })
type Device = Awaited<ReturnType<typeof open>>

/** The time in which a change reaches another device without a sync call, with the SDK's defaults over loopback. */
export const atOnce: Workload = {
  name: 'k. at once',
  systems: [godwit],
  run: (kind, { rounds: count }) =>
    withSystem(kind, async system => {
      const folder = mkdtempSync(join(tmpdir(), 'godwit-bench-at-once-'))
      const pairs: Pair[] = []
      try {
        const first = await firstRows(system, folder, count)
        for (let pair = 0; pair < PAIRS; pair++) pairs.push(await openPair(system, folder, `pair-${pair}`))
        await pause(2000)
        const writes = await inTurns(pairs, {
          name: 'Again',
          count,
          make: async ({ writer }, at) => writer.models.Again.create(Object.values(items(at, 1, 0))[0] ?? {}),
        })
        const pushes = await inTurns(pairs, {
          name: 'Item',
          count,
          make: ({ user }, at) => system.ingest(user, items(at, 1, 0)),
        })
        return [
          ...summaryOf('login → first rows', first),
          ...summaryOf('write → other device', writes),
          ...summaryOf('push of the backend → device', pushes),
        ]
      } finally {
        for (const { writer, listener } of pairs) await Promise.all([writer.close(), listener.close()])
        rmSync(folder, { recursive: true, force: true })
      }
    }),
}

interface Pair {
  readonly user: string
  readonly writer: Device
  readonly listener: Device
  /** Resolves when the listener has one more row of a model. */
  readonly heard: (name: Name) => Promise<void>
  used: number
}

/** Measures first syncs, each of a different user, because the server limits logins per user. */
async function firstRows(system: System, folder: string, count: number): Promise<readonly number[]> {
  const took: number[] = []
  for (let run = 0; run < count; run++) {
    const user = `newcomer-${run}`
    ;(await system.client(user)).close()
    await system.ingest(user, items(0, 10, 0))
    const sdk = await open(folder, system.url)
    const rows = rowsOf(sdk, 'Item')
    const began = await logIn(sdk, user)
    await rows.more
    took.push(performance.now() - began)
    rows.stop()
    await sdk.close()
  }
  return took
}

/** Logs in, and returns the time at which the successful attempt began. */
async function logIn(sdk: Device, user: string): Promise<number> {
  for (;;) {
    const began = performance.now()
    try {
      await sdk.login(user, user)
      return began
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'too_many_attempts') throw error
      await pause(1000)
    }
  }
}

async function openPair(system: System, folder: string, user: string): Promise<Pair> {
  ;(await system.client(user)).close()
  const [writer, listener] = [await open(folder, system.url), await open(folder, system.url)]
  for (const device of [writer, listener]) {
    await logIn(device, user)
    await device.sync()
  }
  const waitForRows = async (name: Name): Promise<void> => {
    const rows = rowsOf(listener, name)
    await rows.more
    rows.stop()
  }
  return { user, writer, listener, heard: waitForRows, used: 0 }
}

/** Observes a model; `more` resolves when it has more rows than now. */
function rowsOf(sdk: Device, name: Name): { readonly more: Promise<void>; stop(): void } {
  const before = sdk.models[name].count()
  const { promise: more, resolve } = Promise.withResolvers<void>()
  const stop = sdk.models[name].observe({}, found => {
    if (found.length > before) resolve()
  })
  return { more, stop }
}

interface Turns {
  readonly name: Name
  readonly count: number
  readonly make: (pair: Pair, at: number) => Promise<unknown>
}

async function inTurns(pairs: readonly Pair[], { name, count, make }: Turns): Promise<readonly number[]> {
  const took: number[] = []
  for (let at = 0; at < count; at++) {
    const pair = pairs[at % pairs.length] as Pair
    await pause(Math.max(0, pair.used + PAUSE - performance.now()))
    pair.used = performance.now()
    const heard = pair.heard(name)
    await make(pair, at)
    await heard
    took.push(performance.now() - pair.used)
  }
  return took
}

function summaryOf(what: string, took: readonly number[]) {
  const sorted = [...took].sort((a, b) => a - b)
  const range = { least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
  return [0.5, 0.99].map(share => ({
    measure: `${what}, p${share * 100} of ${took.length}, ms`,
    median: percentile(sorted, share),
    ...range,
  }))
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))
