import { openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { DEVICE_CHANNEL } from './channels.js'
import { tellChange } from './tell-change.js'

const ada = { source: 'Visit', partition: 'user:ada' }
const grace = { source: 'Visit', partition: 'user:grace' }
const aMoment = () => new Promise(resolve => setImmediate(resolve))

function engineWith(store: Store) {
  const warned: unknown[] = []
  const ignore = () => undefined
  const log = { error: ignore, warn: (facts: unknown) => void warned.push(facts), info: ignore, debug: ignore }
  return { engine: { store, log }, warned }
}

test('sends one hint per collection for simultaneous changes', async () => {
  const store = openMemoryStore()
  const { engine } = engineWith(store)
  const heard: unknown[] = []
  await store.events.subscribe(DEVICE_CHANNEL, event => void heard.push(event))
  for (const collection of [ada, grace, ada, ada]) tellChange(engine, collection)
  await aMoment()
  expect(heard).toEqual([
    { kind: 'change', ...ada },
    { kind: 'change', ...grace },
  ])
  tellChange(engine, ada)
  await aMoment()
  expect(heard).toHaveLength(3)
})

test('names the client that made a change, if no other made one meanwhile', async () => {
  const store = openMemoryStore()
  const { engine } = engineWith(store)
  const heard: unknown[] = []
  await store.events.subscribe(DEVICE_CHANNEL, event => void heard.push(event))
  tellChange(engine, ada, 'phone')
  tellChange(engine, ada, 'phone')
  tellChange(engine, grace, 'phone')
  tellChange(engine, grace)
  await aMoment()
  expect(heard).toEqual([
    { kind: 'change', ...ada, by: 'phone' },
    { kind: 'change', ...grace },
  ])
})

test('a hint that cannot be sent is logged, and fails nothing', async () => {
  const store = openMemoryStore()
  const { engine, warned } = engineWith({
    ...store,
    events: { ...store.events, publish: () => Promise.reject(new Error('down')) },
  })
  tellChange(engine, ada)
  await aMoment()
  expect(warned).toEqual([{ error: 'down', source: 'Visit' }])
})
