import type { JsonValue } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { afterEach, expect, jest, test } from '@jest/globals'
import { silentLog } from '../../base/log.js'
import { PingPeers } from './ping-peers.js'

const opened: PingPeers[] = []
afterEach(async () => {
  jest.useRealTimers()
  for (const peers of opened.splice(0)) await peers.stop()
})

const { events } = openMemoryStore()
let ids = 0

function open(process: string, clients: readonly string[] = [], channel = events) {
  const delivered: JsonValue[] = []
  const peers = new PingPeers({
    events: channel,
    streams: {
      clientsOf: () => clients,
      ping(_login, client, message) {
        if (!clients.includes(client)) return false
        delivered.push({ client, ...message })
        return true
      },
    },
    log: silentLog,
    process,
    randomId: () => `request ${++ids}`,
  })
  opened.push(peers)
  peers.start()
  return { peers, delivered }
}

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

test('clients and devices of all other processes are found and reached', async () => {
  const one = open('one')
  const two = open('two', ['phone', 'tablet'])
  open('three', ['laptop'])
  await settled()
  expect(await one.peers.find(['ada'])).toEqual(new Set(['phone', 'tablet', 'laptop']))
  const devices = ['phone', 'lost'].map(client => ({ login: 'ada', client }))
  expect(await one.peers.deliver(devices, { do_sync: ['City'] })).toEqual(new Set(['phone']))
  expect(two.delivered).toEqual([{ client: 'phone', do_sync: ['City'] }])
})

test('a process alone asks nobody', async () => {
  const published: JsonValue[] = []
  const channel = { ...events, publish: async (_: string, event: JsonValue) => void published.push(event) }
  const { peers } = open('one', [], channel)
  await settled()
  published.splice(0)
  expect(await peers.find(['ada'])).toEqual(new Set())
  expect(published).toEqual([])
})

test('a process that stays silent is waited for once', async () => {
  const one = open('one')
  await settled()
  await events.publish('pings', { kind: 'here', from: 'silent' })
  await settled()
  jest.useFakeTimers()
  let isDone = false
  const first = one.peers.find(['ada']).finally(() => {
    isDone = true
  })
  await jest.advanceTimersByTimeAsync(499)
  expect(isDone).toBe(false)
  await jest.advanceTimersByTimeAsync(1)
  expect(await first).toEqual(new Set())
  expect(await one.peers.find(['ada'])).toEqual(new Set())
})

test('a request of many users is sent in parts', async () => {
  const one = open('one')
  open('two', ['phone'])
  await settled()
  expect(await one.peers.find(Array.from({ length: 1200 }, (_, n) => `user ${n}`))).toEqual(new Set(['phone']))
})
