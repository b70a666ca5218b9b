import { openDevice } from '@godwit/model/browser'
import { cities } from '../src/cities.js'
import { measureAnswers, pause } from './measure-answers.js'

const server = new URLSearchParams(location.search).get('server') ?? location.origin
const device = openDevice({
  name: 'cities',
  server,
  models: cities,
  worker: () => new Worker(new URL('./cities.worker.ts', import.meta.url), { type: 'module' }),
})
const { City, Visit } = device.models

const now = (): number => performance.timeOrigin + performance.now()

Object.assign(globalThis, {
  bench: {
    now,
    ready: () => City.count(),
    /** Logs in and does a first sync, while the page animates and makes calls: seconds, the longest task, and waiting times. */
    async sync() {
      return await measureAnswers(
        () => City.count(),
        async () => {
          await device.login('ada', 'ada')
          await device.sync()
          const count = await City.count()
          if (count !== 135_233) throw new Error(`${count} cities of 135,233`)
        },
      )
    },
    async find(times: number) {
      const took: number[] = []
      const words = ['par', 'lon', 'san', 'new', 'b', 'mar', 'st', 'ki', 'be', 'ro']
      for (let turn = 0; turn < times; turn++) {
        const began = performance.now()
        await City.find({
          conditions: { name: { like: `${words[turn % words.length]}%` } },
          order: { population: 'desc' },
          limit: 20,
        })
        took.push(performance.now() - began)
      }
      return took
    },
    async search(times: number) {
      const took: number[] = []
      const words = ['par', 'lon', 'san', 'new', 'b', 'mar', 'st', 'ki', 'be', 'ro']
      for (let turn = 0; turn < times; turn++) {
        const began = performance.now()
        await City.find({ search: words[turn % words.length] ?? 'par', order: { population: 'desc' }, limit: 20 })
        took.push(performance.now() - began)
      }
      return took
    },
    /** Milliseconds from each create to this page's live query. */
    async live(times: number) {
      let reported = (): void => {}
      const stop = Visit.observe({}, () => reported())
      await pause(100)
      const took: number[] = []
      for (let turn = 0; turn < times; turn++) {
        const began = performance.now()
        const displayed = new Promise<void>(resolve => {
          reported = resolve
        })
        await Promise.all([Visit.create({ note: `visit ${turn}` }), displayed])
        took.push(performance.now() - began)
      }
      stop()
      return took
    },
    /** Records when this page sees each visit, for creates of another tab. */
    watch() {
      const seen = new Map<string, number>()
      Visit.observe({}, rows => {
        for (const { note } of rows) if (!seen.has(note)) seen.set(note, now())
      })
      Object.assign(globalThis, { seen: () => Object.fromEntries(seen) })
    },
    async create(notes: readonly string[]) {
      const made: Record<string, number> = {}
      for (const note of notes) {
        made[note] = now()
        await Visit.create({ note })
        await pause(30)
      }
      return made
    },
    /** Milliseconds since the navigation at the first rows. */
    async first() {
      await City.find({ limit: 20 })
      return performance.now()
    },
    /** Makes one call after the other until `stop`; returns the longest waiting time. */
    ask() {
      let isOver = false
      let most = 0
      const asking = (async () => {
        while (!isOver) {
          const began = performance.now()
          await City.first({})
          most = Math.max(most, performance.now() - began)
        }
      })()
      Object.assign(globalThis, {
        stop: async () => {
          isOver = true
          await asking
          return most
        },
      })
    },
  },
})
