import type { Mutation, Outcome } from '@godwit/protocol'
import { defineSource, failure, refusal, type SourceDefinition } from '@godwit/source'
import { describe, expect, jest, test } from '@jest/globals'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'
import { pull } from '../pull/pull.js'
import { push } from './push.js'
import { giveUpExpired, queuedDrains } from './recover.js'

interface Visit {
  note?: string
  rating?: number
}

let keys = 0
const key = (): string => `key-${String(++keys).padStart(16, '0')}`

const create = (number: number, object: string, attributes: Visit = {}, rest: Partial<Mutation> = {}): Mutation => ({
  number,
  key: key(),
  operation: 'create',
  object,
  attributes: attributes as never,
  ...rest,
})

async function world(definition: Partial<SourceDefinition<Visit>> = {}) {
  const source = defineSource<Visit>({ name: 'Visit', pollInterval: -1, timeout: 0.05, ...definition })
  const engine = await testEngine([source], { limits: { pushWait: 1 } })
  const collection = { source: 'Visit', partition: 'user:ada' }
  const { epoch } = await engine.store.collections.open(collection)
  const send = async (
    mutations: readonly Mutation[],
    acknowledged = 0,
    client = 'client-1',
  ): Promise<readonly Outcome[]> => {
    const request = {
      source: 'Visit',
      user: 'ada',
      client: testClient(client),
      push: { epoch, acknowledged, mutations },
    }
    return (await push(engine, request)).outcomes
  }
  return { engine, collection, epoch, send }
}

const objects = async (engine: TestEngine) => {
  const text = await pull(engine, {
    source: 'Visit',
    user: 'ada',
    client: testClient('reader'),
    token: undefined,
    pageSize: 500,
    acknowledged: 0,
  })
  return JSON.parse(text.text).insert ?? {}
}

describe('an applied mutation', () => {
  test('has one outcome, link and object, however often it is sent', async () => {
    const made = jest.fn((attributes: Visit) => ({ id: 7, attributes: { ...attributes, rating: 3 } }))
    const { engine, send } = await world({ create: made })
    const mutation = create(1, 't1', { note: 'a' })
    const expected = [
      {
        outcome: 1,
        number: 1,
        status: 'applied',
        link: '7',
        object: 't1',
        version: 1,
        attributes: { note: 'a', rating: 3 },
      },
    ]
    expect(await send([mutation])).toEqual(expected)
    expect(await send([mutation])).toEqual(expected)
    expect(made).toHaveBeenCalledTimes(1)
    expect(await objects(engine)).toEqual({ 7: { note: 'a', rating: 3 } })
  })

  test('passes its key to the source', async () => {
    const made = jest.fn((_: Visit, { idempotencyKey }: { idempotencyKey: string }) => idempotencyKey)
    const { send } = await world({ create: made })
    const mutation = create(1, 't1')
    const [outcome] = await send([mutation])
    expect(outcome?.link).toBe(mutation.key)
  })

  test('keeps its temporary id where the source returns none', async () => {
    const { engine, send } = await world({ create: () => undefined })
    expect(await send([create(1, 't1', { note: 'a' })])).toMatchObject([{ status: 'applied' }])
    expect(await objects(engine)).toEqual({ t1: { note: 'a' } })
  })

  test('reaches the source with the real id, in one request with its create', async () => {
    const updated = jest.fn((_: string, __: object, ___: object): void => {})
    const { engine, send } = await world({ create: () => 'real', update: updated })
    const change: Mutation = {
      number: 2,
      key: key(),
      operation: 'update',
      object: 't1',
      attributes: { note: 'b' },
      was: { note: 'a' },
      owners: ['t1'],
    }
    expect(await send([create(1, 't1', { note: 'a' }), change])).toMatchObject([
      { status: 'applied' },
      { status: 'applied' },
    ])
    expect(updated).toHaveBeenCalledWith('real', { note: 'b' }, expect.anything())
    expect(await objects(engine)).toEqual({ real: { note: 'b' } })
  })
})

describe('a refused mutation', () => {
  const picky = {
    create: ({ rating }: Visit) => (rating === 9 ? Promise.reject(refusal('A rating is 1 to 5.')) : 'real'),
  }

  test('says why and blocks nothing else', async () => {
    const { engine, send } = await world(picky)
    const outcomes = await send([create(1, 't1', { rating: 9 }), create(2, 't2', { rating: 5 })])
    expect(outcomes.find(({ number }) => number === 1)).toMatchObject({
      status: 'refused',
      error: { code: 'refused', message: 'A rating is 1 to 5.' },
    })
    expect(outcomes.find(({ number }) => number === 2)).toMatchObject({ status: 'applied', link: 'real' })
    expect(await objects(engine)).toEqual({ real: { rating: 5 } })
  })

  test('refuses what depends on it', async () => {
    const { send } = await world({ ...picky, update: () => {} })
    const change: Mutation = {
      number: 2,
      key: key(),
      operation: 'update',
      object: 't1',
      attributes: { note: 'b' },
      owners: ['t1'],
    }
    expect(await send([create(1, 't1', { rating: 9 }), change])).toMatchObject([
      { status: 'refused' },
      { status: 'depends_on_refused' },
    ])
  })

  test('follows from a source without the method', async () => {
    const { send } = await world()
    expect(await send([create(1, 't1')])).toMatchObject([
      { status: 'refused', error: { code: 'operation_not_supported' } },
    ])
  })

  test('follows from a failing login of the source, with its message', async () => {
    const login = () => Promise.reject(failure('The account is closed.'))
    const { send } = await world({ create: () => 'real', login })
    expect(await send([create(1, 't1')])).toMatchObject([
      { status: 'refused', error: { message: 'The account is closed.' } },
    ])
  })

  test('follows from an unknown owner', async () => {
    const { send } = await world({ update: () => {} })
    const change: Mutation = {
      number: 1,
      key: key(),
      operation: 'update',
      object: 't9',
      attributes: { note: 'b' },
      owners: ['t9'],
    }
    expect(await send([change])).toMatchObject([{ status: 'depends_on_refused' }])
  })
})

describe('a backend that does not answer', () => {
  const broken = () => Promise.reject(new Error('socket hang up'))

  test('leaves the mutation in doubt, asks for a query, and is not called again', async () => {
    const made = jest.fn(broken)
    const { engine, collection, send } = await world({ create: made })
    const mutation = create(1, 't1')
    expect(await send([mutation])).toMatchObject([{ outcome: 1, number: 1, status: 'in_doubt' }])
    await send([mutation])
    expect(made).toHaveBeenCalledTimes(1)
    const head = await engine.store.collections.head(collection)
    expect(head?.queriesRequested).toBeGreaterThan(head?.queriesServed ?? 0)
  })

  test('repeats the doubt, also to a device that had acknowledged it', async () => {
    const { send } = await world({ create: broken })
    const mutation = create(1, 't1')
    await send([mutation])
    const again = await send([mutation], 1)
    expect(again).toEqual([
      { number: 1, status: 'in_doubt', version: 0, error: expect.objectContaining({ code: 'backend_failed' }) },
    ])
  })

  test('is called again with the same key where it is idempotent', async () => {
    let failures = 1
    const made = jest.fn((_: Visit, { idempotencyKey }: { idempotencyKey: string }) =>
      failures-- > 0 ? broken() : Promise.resolve(idempotencyKey),
    )
    const { engine, send } = await world({ create: made, idempotent: true })
    const mutation = create(1, 't1', { note: 'a' })
    expect(await send([mutation])).toEqual([{ number: 1, status: 'queued', version: 0 }])
    engine.pass(2000)
    await queuedDrains(engine).run()
    expect(await send([mutation])).toMatchObject([{ status: 'applied', link: mutation.key }])
    expect(made).toHaveBeenCalledTimes(2)
  })

  test('settles late: a result after the time-out decides the doubt', async () => {
    let answer = (_: string): void => {}
    const create_ = () =>
      new Promise<string>(resolve => {
        answer = resolve
      })
    const { engine, collection, send } = await world({ create: create_ })
    const mutation = create(1, 't1', { note: 'a' })
    expect(await send([mutation])).toMatchObject([{ status: 'in_doubt' }])
    const asked = async () => (await engine.store.collections.head(collection))?.queriesRequested
    expect(await asked()).toBe(1)
    answer('real')
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(await send([mutation], 1)).toMatchObject([{ outcome: 2, number: 1, status: 'applied', link: 'real' }])
    expect(await objects(engine)).toEqual({ real: { note: 'a' } })
    // What the backend said of it since then was connected with no call.
    expect(await asked()).toBe(2)
  })

  test('a start whose process died is abandoned when its lease expires', async () => {
    const { engine, collection, send } = await world({ create: () => 'real', conflict: 'reject' })
    await engine.store.journal.accept(collection, {
      client: 'client-1',
      user: 'ada',
      epoch: (await engine.store.collections.open(collection)).epoch,
      acknowledged: 0,
      mutations: [create(1, 't1')],
      idempotent: false,
    })
    const [entry] = await engine.store.journal.queued(collection, { limit: 1 })
    await engine.store.journal.start(collection, entry?.mutation.key ?? '', { milliseconds: 1000, durable: true })
    engine.pass(1001)
    await giveUpExpired(engine)
    expect(await send([])).toMatchObject([{ number: 1, status: 'in_doubt' }])
  })
})

describe('numbers', () => {
  test('a gap is 409 mutation_gap with the number expected', async () => {
    const { send } = await world({ create: () => undefined })
    await expect(send([create(2, 't1')])).rejects.toMatchObject({ code: 'mutation_gap', details: { expected: 1 } })
  })

  test('a known number under another key is 409 client_forked', async () => {
    const { send } = await world({ create: () => undefined })
    await send([create(1, 't1')])
    await expect(send([create(1, 't2')])).rejects.toMatchObject({ code: 'client_forked' })
  })

  test('another epoch is 409 epoch_changed with the present one', async () => {
    const { engine, collection, send } = await world({ create: () => undefined })
    await engine.store.collections.drop(collection)
    const { epoch } = await engine.store.collections.open(collection)
    await expect(send([create(1, 't1')])).rejects.toMatchObject({ code: 'epoch_changed', details: { epoch } })
  })

  test('a known key under a new client id is the same mutation', async () => {
    const made = jest.fn(() => 'real')
    const { send } = await world({ create: made })
    const mutation = create(1, 't1')
    await send([mutation])
    expect(await send([{ ...mutation, sent: true }], 0, 'client-2')).toMatchObject([
      { outcome: 1, status: 'applied', link: 'real' },
    ])
    expect(made).toHaveBeenCalledTimes(1)
  })

  test('an unknown key that may have been sent before is in doubt, but runs on an idempotent source', async () => {
    const unsafe = await world({ create: () => 'real' })
    expect(await unsafe.send([create(1, 't1', {}, { sent: true })])).toMatchObject([{ status: 'in_doubt' }])
    const safe = await world({ create: () => 'real', idempotent: true })
    expect(await safe.send([create(1, 't1', {}, { sent: true })])).toMatchObject([{ status: 'applied' }])
  })

  test('a call that may repeat an earlier one makes a query due, as its result may be stale', async () => {
    const { engine, collection, send } = await world({ create: () => 'real', idempotent: true })
    await send([create(1, 't1')])
    expect(await engine.store.collections.head(collection)).toMatchObject({ queriesRequested: 0 })
    await send([create(2, 't2', {}, { sent: true })])
    expect(await engine.store.collections.head(collection)).toMatchObject({ queriesRequested: 1, queriesServed: 0 })
  })
})

test('a full update makes a query due where another attribute was written during its call', async () => {
  const given: object[] = []
  const { engine, collection, send } = await world({
    update: async (id, attributes) => {
      given.push(attributes)
      await engine.store.collections.apply(collection, { merge: { [id]: { rating: 5 } } })
    },
  })
  const { apply, head } = engine.store.collections
  await apply(collection, { merge: { a: { note: 'old', rating: 1 } } })
  const attributes = { note: 'mine', rating: 1 }
  const update = { key: key(), operation: 'update', object: 'a', attributes, was: { note: 'old' }, seen: 1 } as const
  expect(await send([{ ...update, number: 1, changed: ['note'] }])).toMatchObject([{ status: 'applied' }])
  expect(given).toEqual([attributes])
  expect(await objects(engine)).toEqual({ a: { note: 'mine', rating: 5 } })
  expect(await head(collection)).toMatchObject({ queriesRequested: 1, queriesServed: 0 })
})

test('nothing is sent to the backend before the first query is complete', async () => {
  const made = jest.fn(() => 'real')
  let ready = false
  const query = () => (ready ? {} : Promise.reject(new Error('The backend starts.')))
  const { engine, send } = await world({ create: made, query, pollInterval: 0 })
  await objects(engine)
  const mutation = create(1, 't1')
  expect(await send([mutation])).toEqual([{ number: 1, status: 'queued', version: 0 }])
  expect(made).not.toHaveBeenCalled()
  ready = true
  await objects(engine)
  expect(await send([mutation])).toMatchObject([{ status: 'applied' }])
})

test('a pass_through source gets its content, which the journal does not keep', async () => {
  const made = jest.fn((attributes: Visit, _: object) => attributes.note)
  const { engine, collection, send } = await world({ create: made, passThrough: true })
  const mutation = create(1, 't1', { note: 'secret' })
  await send([mutation])
  expect(made).toHaveBeenCalledWith({ note: 'secret' }, expect.anything())
  const [entry] = await engine.store.journal.entries(collection, [mutation.key])
  expect(JSON.stringify(entry?.mutation)).not.toContain('secret')
})

test('a full update of a pass_through source brings all attributes of the device', async () => {
  const given: object[] = []
  const { engine, collection, send } = await world({
    update: (_, attributes) => void given.push(attributes),
    passThrough: true,
  })
  await engine.store.collections.apply(collection, { merge: { a: {} } })
  const attributes = { note: 'mine', rating: 1 }
  const update = { key: key(), operation: 'update', object: 'a', attributes, was: { note: 'old' }, seen: 1 } as const
  expect(await send([{ ...update, number: 1, changed: ['note'] }])).toMatchObject([{ status: 'applied' }])
  expect(given).toEqual([attributes])
})

test('a pass_through source and the device receive real ids', async () => {
  const notes: unknown[] = []
  const { send } = await world({
    create: attributes => {
      notes.push(attributes.note)
      return `real ${notes.length}`
    },
    passThrough: true,
  })
  const told = await send([create(1, 't1', { note: 'owner' }), create(2, 't2', { note: 't1' }, { owners: ['t1'] })])
  expect(told).toMatchObject([{ attributes: { note: 'owner' } }, { attributes: { note: 'real 1' } }])
  expect(notes).toEqual(['owner', 'real 1'])
})

test('a started delete of a pass_through source continues without content', async () => {
  let failures = 1
  const gone: string[] = []
  const { engine, collection, send } = await world({
    delete: id => {
      gone.push(id)
      if (failures-- > 0) throw new Error('socket hang up')
    },
    passThrough: true,
    idempotent: true,
  })
  await engine.store.collections.apply(collection, { merge: { a: { note: 'a' }, b: { note: 'b' } } })
  const removal = (number: number, object: string): Mutation => ({
    number,
    key: key(),
    operation: 'delete',
    object,
    was: { note: object },
    seen: 1,
  })
  expect(await send([removal(1, 'a')])).toMatchObject([{ status: 'queued' }])
  engine.pass(2000)
  await queuedDrains(engine).run()
  expect(await send([])).toMatchObject([{ number: 1, status: 'applied' }])
  expect(gone).toEqual(['a', 'a'])
})

test('a sweep skips a running pass_through push, and refuses mutations whose content is lost', async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  const notes: unknown[] = []
  const { engine, send } = await world({
    create: async attributes => {
      notes.push(attributes.note)
      if (attributes.note === 'slow') await held
    },
    passThrough: true,
    timeout: 30,
  })
  const mutations = [create(1, 't1', { note: 'slow' }), create(2, 't2', { note: 'next' }, { owners: ['t1'] })]
  const sent = send(mutations)
  for (let sweeps = 0; sweeps < 5; sweeps++) await queuedDrains(engine).run()
  goOn()
  expect(await sent).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
  expect(notes).toEqual(['slow', 'next'])
})

test('a pass_through change is refused if its content is not sent again in time', async () => {
  const { engine, send } = await world({
    create: () => {
      throw new Error('socket hang up')
    },
    passThrough: true,
    idempotent: true,
  })
  expect(await send([create(1, 't1', { note: 'a' })])).toMatchObject([{ status: 'queued' }])
  engine.pass(5000)
  await queuedDrains(engine).run()
  expect(await send([])).toEqual([])
  engine.pass(11 * 60_000)
  await queuedDrains(engine).run()
  expect(await send([])).toMatchObject([{ number: 1, status: 'refused', error: { code: 'refused' } }])
})
