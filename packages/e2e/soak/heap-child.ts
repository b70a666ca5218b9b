import { growthOf } from './growth.js'
import { openStore, type StoreName } from './open-store.js'
import { IN_MEMORY, PLANTED, ROUNDS } from './rounds.js'
import { openSoakWorld } from './soak-world.js'

/** A separate process; arguments: `store times flat [planted]`. Prints as JSON the bytes that each kind of call adds to the heap, and the limit. */
const [store, times, flat] = [process.argv[2] as StoreName, Number(process.argv[3]), Number(process.argv[4])]
const isPlanted = process.argv[5] === 'planted'
const rounds = isPlanted ? PLANTED : ROUNDS
/** Number of readings for a planted leak, which never becomes flat. */
const readings = isPlanted ? 20 : undefined
const opened = await openStore(store)
const world = await openSoakWorld(opened)
const growth: Record<string, readonly [bytes: number, most: number]> = {}
for (const [name, prepare] of Object.entries(rounds)) {
  const most = flat + (store === 'memory' ? (IN_MEMORY[name] ?? 0) : 0)
  growth[name] = [await growthOf(await prepare(world), { times, flat: most, most: readings }), most]
}
await world.close()
await opened.close()
process.stdout.write(`${JSON.stringify(growth)}\n`)
