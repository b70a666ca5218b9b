import { groupText, newRow, storedRow } from '../src/device-rows.js'
import type { OpenPageSystem, PageSystem } from './page-system.js'

const SYSTEMS: { readonly [name: string]: () => Promise<{ readonly open: OpenPageSystem }> } = {
  godwit: () => import('./systems/godwit.js'),
  godwitLocal: () => import('./systems/godwit-local.js'),
  byHand: () => import('./systems/by-hand.js'),
  pouchdb: () => import('./systems/pouchdb.js'),
  rxdb: () => import('./systems/rxdb.js'),
  tinybase: () => import('./systems/tinybase.js'),
  powersync: () => import('./systems/powersync.js'),
}

const name = new URLSearchParams(location.search).get('system') ?? ''
const load = SYSTEMS[name]
const opened: Promise<PageSystem> =
  load === undefined ? Promise.reject(new Error(`unknown: ${name}`)) : load().then(({ open }) => open())
// Reported by `ready`.
opened.catch(() => {})

let made = Number(localStorage.getItem('made') ?? 0)

/** The functions that the benchmark program calls. */
const bench = {
  ready: () => opened.then(() => true),
  /** Seconds. */
  async store(count: number): Promise<number> {
    const system = await opened
    const rows = Array.from({ length: count }, (_, index) => storedRow(index))
    const began = performance.now()
    await system.store(rows)
    return (performance.now() - began) / 1000
  },
  /** Milliseconds of each find. */
  async find(times: number): Promise<readonly number[]> {
    const system = await opened
    const took: number[] = []
    for (let turn = 0; turn < times; turn++) {
      const began = performance.now()
      const count = await system.find(groupText(turn * 37))
      took.push(performance.now() - began)
      if (count < 90 || count > 110) throw new Error(`found ${count}, expected about 99`)
    }
    return took
  },
  /** Milliseconds from each create to the live query that tells it. */
  async live(times: number): Promise<readonly number[]> {
    const system = await opened
    const group = newRow(0).indexed
    let reported = (_count: number): void => {}
    let last = 0
    const stop = await system.live(group, count => {
      last = count
      reported(count)
    })
    const took: number[] = []
    for (let turn = 0; turn < times; turn++) {
      const wanted = last + 1
      const began = performance.now()
      const displayed = new Promise<void>(resolve => {
        reported = count => count >= wanted && resolve()
      })
      await Promise.all([system.create({ ...newRow(made++), indexed: group }), displayed])
      took.push(performance.now() - began)
    }
    localStorage.setItem('made', String(made))
    stop()
    return took
  },
  /** Milliseconds from the navigation to the first rows. */
  async first(): Promise<number> {
    const system = await opened
    const count = await system.find(groupText(7))
    if (count < 90) throw new Error(`found ${count} after a reload, expected about 99`)
    return performance.now()
  },
}
Object.assign(globalThis, { bench })
