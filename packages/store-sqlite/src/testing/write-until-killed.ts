import { writeSync } from 'node:fs'
import { openSqliteStore } from '../open-sqlite-store.js'

/** Writes objects and mutations to the store of argv[2] until it is killed; prints each acknowledged one, in order. */
const store = await openSqliteStore(process.argv[2] ?? '')
const collection = { source: 'Visit', partition: 'ada' }
const { epoch } = await store.collections.open(collection)

async function push(number: number): Promise<void> {
  const key = `key-of-mutation-${number}`
  const mutation = { number, key, operation: 'create', object: `visit ${number}`, attributes: { number } } as const
  const facts = { client: 'one', user: 'ada', epoch, acknowledged: 0, idempotent: true }
  await store.journal.accept(collection, { ...facts, mutations: [mutation] })
  const started = await store.journal.start(collection, key, { milliseconds: 1000, durable: false })
  if ('refused' in started) return
  const write = { object: mutation.object, set: mutation.attributes }
  await store.journal.settle(collection, key, { epoch, fence: started.fence, status: 'applied', write })
}

for (let number = 1; ; number++) {
  const object = store.collections.apply(collection, { merge: { [`object ${number}`]: { number } } })
  await Promise.all([object, push(number)])
  writeSync(1, `${number}\n`)
}
