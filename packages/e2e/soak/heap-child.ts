import { liveHeap } from './live-heap.js'
import { openStore, type StoreName } from './open-store.js'
import { ROUNDS } from './rounds.js'
import { openSoakWorld } from './soak-world.js'

/** A process of its own: `store times`. Prints, as JSON, by how many bytes a call of each kind lets the live heap grow. */
const [store, times] = [process.argv[2] as StoreName, Number(process.argv[3])]
const opened = await openStore(store)
const world = await openSoakWorld(opened.store)
const growth: Record<string, number> = {}
for (const [name, prepare] of Object.entries(ROUNDS)) {
  const run = await prepare(world)
  let time = 0
  const repeat = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await run(time++)
  }
  await repeat(Math.ceil(times / 2))
  const before = await liveHeap()
  await repeat(times)
  growth[name] = Math.round(((await liveHeap()) - before) / times)
}
await world.close()
await opened.close()
process.stdout.write(`${JSON.stringify(growth)}\n`)
