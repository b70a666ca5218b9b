import { createSyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { firstStart } from '../first-start.js'
import { openDevice, type TestDevice } from '../testing/device.js'
import { type Demo, openDemo } from './demo.js'

const url = 'http://127.0.0.1'
const store = openMemoryStore()
let demo: Demo
let device: TestDevice

interface Page {
  readonly epoch: string
  readonly token: string
  readonly total_count: number
  readonly insert?: { readonly [id: string]: Record<string, unknown> }
}

const pull = async (source: string, query = ''): Promise<Page> =>
  (await device.pull(source, query)).json() as Promise<Page>

async function push(source: string, mutation: object) {
  const { epoch } = await pull(source, '?p_size=0')
  const answer = await device.push(source, { epoch, acknowledged: 0, mutations: [mutation] })
  const { outcomes } = (await answer.json()) as {
    outcomes: readonly { status: string; link?: string; error?: { code: string; message: string } }[]
  }
  return outcomes.at(-1)
}

beforeAll(async () => {
  demo = openDemo(undefined, { hasVisits: false })
  const first = await firstStart(store, { adminLogin: 'admin', adminPassword: 'a long one', development: true })
  const server = createSyncServer({ store, sources: demo.sources, ...first.options })
  device = await openDevice(url, 'ada', { ask: (address, request) => server.fetch(new Request(address, request)) })
})

afterAll(async () => {
  demo.close()
  await store.close()
})

describe('the demo', () => {
  test('gives every city of the package to a device', async () => {
    const { total_count, insert = {} } = await pull('City', '?p_size=1')
    expect(total_count).toBe(135_233)
    expect(Object.values(insert)).toEqual([
      {
        name: expect.any(String),
        country: expect.stringMatching(/^[A-Z]{2}$/),
        population: expect.any(Number),
        latitude: expect.any(Number),
        longitude: expect.any(Number),
        admin_code: expect.any(String),
        feature_code: expect.any(String),
      },
    ])
  })

  test('keeps a visit, and refuses one with nine stars in clear words', async () => {
    const kept = await push('Visit', {
      number: 1,
      key: 'the first visit of ada',
      operation: 'create',
      object: 't1',
      attributes: { city_id: '2950159', note: 'by train', rating: 4 },
    })
    expect(kept).toMatchObject({ status: 'applied', link: '1' })
    const refused = await push('Visit', {
      number: 2,
      key: 'the second visit of ada',
      operation: 'create',
      object: 't2',
      attributes: { note: 'wow', rating: 9 },
    })
    expect(refused).toMatchObject({
      status: 'refused',
      error: { message: 'rating: expected a whole number from 1 to 5, got 9.' },
    })
    expect((await pull('Visit')).insert).toEqual({ 1: { city_id: '2950159', note: 'by train', rating: 4 } })
  })

  test('refuses a new city', async () => {
    const refused = await push('City', {
      number: 1,
      key: 'the first city of ada',
      operation: 'create',
      object: 't3',
      attributes: { name: 'Atlantis' },
    })
    expect(refused).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('cannot be changed from a device') },
    })
  })
})
