import { defineSource } from '@godwit/server'
import { liveHeap } from './live-heap.js'
import { openStore, type StoreName } from './open-store.js'
import { objectsFrom, openSoakWorld } from './soak-world.js'

/**
 * A separate process; arguments: `store objects`. Streams a result of that number of objects twice, and prints as JSON the live heap at ten
 * points of each stream, in bytes, including the store's growth.
 */
const [storeName, objects] = [process.argv[2] as StoreName, Number(process.argv[3])]
const PART = 500
const samples: number[][] = []

const Stream = defineSource({
  name: 'Stream',
  partition: 'app',
  pollInterval: 0,
  queryTimeout: 86_400,
  async *query() {
    const heaps: number[] = []
    samples.push(heaps)
    for (let first = 0; first < objects; first += PART) {
      if (first >= (heaps.length * objects) / 10) heaps.push(await liveHeap())
      yield objectsFrom(first, Math.min(PART, objects - first))
    }
  },
})

const opened = await openStore(storeName)
const world = await openSoakWorld(opened, [Stream])
const { call } = await world.device('streams')
/** Repeats the pull after `fetch` times out during a long query; the new call joins that query. */
async function pull(pageSize: number): Promise<{ total_count?: number }> {
  for (;;) {
    try {
      return (await call('GET', `/app/v1/Stream?p_size=${pageSize}`)) as { total_count?: number }
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code !== 'UND_ERR_HEADERS_TIMEOUT') throw error
    }
  }
}
for (let run = 0; run < 2; run++) await pull(1)
const { total_count } = await pull(0).catch(() => ({ total_count: undefined }))
samples.length = 2
await world.close()
await opened.close()
process.stdout.write(`${JSON.stringify({ total: total_count, samples })}\n`)
