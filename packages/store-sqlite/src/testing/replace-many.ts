import { writeSync } from 'node:fs'
import type { ObjectMap } from '@godwit/protocol'
import { openSqliteStore } from '../open-sqlite-store.js'

/**
 * Replaces an empty collection with argv[3] objects in the store of argv[2], then all of them with others; prints the maximum growth of the process
 * in MiB.
 */
const store = await openSqliteStore(process.argv[2] ?? '')
const collection = { source: 'City', partition: '*' }

async function* parts(count: number, round: number): AsyncGenerator<ObjectMap> {
  for (let from = 0; from < count; from += 1000) {
    const numbers = Array.from({ length: Math.min(1000, count - from) }, (_, index) => from + index)
    yield Object.fromEntries(numbers.map(number => [scattered(number), attributes(number, round)]))
  }
}

/** Ids in no particular order, like real ones. */
const scattered = (number: number) => String((number * 2_654_435_761) % 4_294_967_296)
const attributes = (number: number, round: number) =>
  Object.fromEntries(
    ['name', 'country', 'region', 'zone', 'kind', 'note'].map(name => [
      name,
      `${name} ${number} ${round} ${'x'.repeat(12)}`,
    ]),
  )

async function replace(count: number, round: number): Promise<number> {
  const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 600_000 })
  const { epoch, version, queriesRequested } = await store.collections.open(collection)
  const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
  const replaced = await store.collections.replace(collection, parts(count, round), options)
  return 'refused' in replaced ? -1 : replaced.changed
}

const megabytes = () => process.memoryUsage().rss / 2 ** 20
await replace(1000, 0)
const before = megabytes()
let most = before
const watch = setInterval(() => {
  most = Math.max(most, megabytes())
}, 10)
const count = Number(process.argv[3])
const changed = [await replace(count, 1), await replace(count, 2), await replace(count, 2)]
clearInterval(watch)
await store.close()
writeSync(1, JSON.stringify({ changed, grown: Math.round(most - before) }))
