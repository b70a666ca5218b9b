import { writeSync } from 'node:fs'
import type { ObjectMap } from '@godwit/protocol'
import { redisStore } from '@godwit/store-redis'
import { weighingHandle } from '@godwit/testing'
import { createClient } from 'redis'

/**
 * `node packages/bench/src/redis/replace-many.ts ADDRESS COUNT`, after a build: queries fill an empty collection with COUNT objects, change all,
 * change none, and remove nine tenths. Prints for each query its duration, the average and maximum processor time of its scripts in Redis in
 * milliseconds, the growth of this process in MiB, Redis' memory per object, the number of commands over 5, 10 and 15 milliseconds by Redis'
 * slow log (which includes time that the machine gave to other processes), and the longest of them.
 */
const [, , address = 'redis://127.0.0.1:6379', size = '50000'] = process.argv
const count = Number(size)
const client = await createClient({ url: address, RESP: 2 }).connect()
const { handle, take } = weighingHandle(client)
const store = redisStore(handle, { prefix: `many ${process.pid}:` })
const collection = { source: 'City', partition: '*' }

/** Returns ids in random order, like real ones. */
const scatteredId = (number: number) => String((number * 2_654_435_761) % 4_294_967_296)
const NAMES = ['name', 'country', 'region', 'zone', 'kind', 'note']
const attributes = (number: number, round: number) =>
  Object.fromEntries(NAMES.map(name => [name, `${name} ${number} ${round} ${'x'.repeat(12)}`]))

async function* parts(total: number, round: number): AsyncGenerator<ObjectMap> {
  for (let from = 0; from < total; from += 1000) {
    const numbers = Array.from({ length: Math.min(1000, total - from) }, (_, index) => from + index)
    yield Object.fromEntries(numbers.map(number => [scatteredId(number), attributes(number, round)]))
  }
}

async function replace(total: number, round: number) {
  const begun = performance.now()
  const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 3_600_000 })
  const { epoch, version, queriesRequested } = await store.collections.open(collection)
  const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
  const replaced = await store.collections.replace(collection, parts(total, round), options)
  return { ...replaced, seconds: Math.round(performance.now() - begun) / 1000, processor: take() }
}

const readUsedMemory = async () =>
  Number(/used_memory:(\d+)/.exec(String(await client.sendCommand(['INFO', 'memory'])))?.[1])
const megabytes = () => process.memoryUsage().rss / 2 ** 20
await replace(1000, 0)
const [before, empty] = [megabytes(), await readUsedMemory()]
let most = before
const watch = setInterval(() => {
  most = Math.max(most, megabytes())
}, 20)
await client.sendCommand(['CONFIG', 'SET', 'slowlog-log-slower-than', '1000', 'slowlog-max-len', '100000'])
await client.sendCommand(['SLOWLOG', 'RESET'])
const steps: Record<string, unknown> = { filled: await replace(count, 1) }
const bytesPerObject = Math.round(((await readUsedMemory()) - empty) / count)
Object.assign(steps, {
  changed: await replace(count, 2),
  same: await replace(count, 2),
  removed: await replace(count / 10, 2),
})
clearInterval(watch)
const slow = (await client.sendCommand(['SLOWLOG', 'GET', '-1'])) as unknown as [number, number, number, string[]][]
const longest = slow.map(([, , microseconds, words]) => ({ microseconds, words: words.slice(0, 2) }))
longest.sort((one, other) => other.microseconds - one.microseconds)
const over = Object.fromEntries(
  [5, 10, 15].map(least => [least, longest.filter(({ microseconds }) => microseconds > least * 1000).length]),
)
const grown = Math.round(most - before)
writeSync(1, `${JSON.stringify({ steps, grown, bytesPerObject, over, longest: longest.slice(0, 8) }, undefined, 1)}\n`)
await store.clear()
await store.close()
client.destroy()
