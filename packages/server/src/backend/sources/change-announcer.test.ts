import { openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { ChangeAnnouncer } from './change-announcer.js'
import { DEVICE_CHANNEL } from './channels.js'

const ada = { source: 'Visit', partition: 'user:ada' }
const grace = { source: 'Visit', partition: 'user:grace' }
const aMoment = () => new Promise(resolve => setImmediate(resolve))

function announcing(store: Store) {
  const warned: unknown[] = []
  const ignore = () => undefined
  const log = { error: ignore, warn: (facts: unknown) => void warned.push(facts), info: ignore, debug: ignore }
  return { changes: new ChangeAnnouncer({ store, log }), warned }
}

test('sends one hint per collection for simultaneous changes', async () => {
  const store = openMemoryStore()
  const { changes } = announcing(store)
  const heard: unknown[] = []
  await store.events.subscribe(DEVICE_CHANNEL, event => void heard.push(event))
  for (const collection of [ada, grace, ada, ada]) changes.announce(collection)
  await aMoment()
  expect(heard).toEqual([
    { kind: 'change', ...ada },
    { kind: 'change', ...grace },
  ])
  changes.announce(ada)
  await aMoment()
  expect(heard).toHaveLength(3)
})

test('names the client that made a change, if no other made one meanwhile', async () => {
  const store = openMemoryStore()
  const { changes } = announcing(store)
  const heard: unknown[] = []
  await store.events.subscribe(DEVICE_CHANNEL, event => void heard.push(event))
  changes.announce(ada, 'phone')
  changes.announce(ada, 'phone')
  changes.announce(grace, 'phone')
  changes.announce(grace)
  await aMoment()
  expect(heard).toEqual([
    { kind: 'change', ...ada, by: 'phone' },
    { kind: 'change', ...grace },
  ])
})

test('a hint that cannot be sent is logged, and fails nothing', async () => {
  const store = openMemoryStore()
  const { changes, warned } = announcing({
    ...store,
    events: { ...store.events, publish: () => Promise.reject(new Error('down')) },
  })
  changes.announce(ada)
  await aMoment()
  expect(warned).toEqual([{ error: 'down', source: 'Visit' }])
})
