import type { OpenPageSystem } from '../page-system.js'

/** SQLite in a worker without a library: the baseline. */
export const open: OpenPageSystem = async () => {
  const worker = new Worker(new URL('./by-hand.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (result: unknown) => void>()
  const watching = new Set<() => void>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<{ number: number; result: unknown }>) => {
    waiting.get(data.number)?.(data.result)
    waiting.delete(data.number)
  })
  const ask = (call: object): Promise<unknown> =>
    new Promise(resolve => {
      const number = ++last
      waiting.set(number, resolve)
      worker.postMessage({ ...call, number })
    })
  const find = async (group: string) => ((await ask({ verb: 'find', group })) as readonly object[]).length
  return {
    store: rows => ask({ verb: 'store', rows }),
    async create(row) {
      await ask({ verb: 'store', rows: [row] })
      for (const look of watching) look()
    },
    find,
    async live(group, report) {
      const look = () => void find(group).then(report)
      watching.add(look)
      report(await find(group))
      return () => void watching.delete(look)
    },
  }
}
