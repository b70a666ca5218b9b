import type { Mutation, Outcome, Page, PushOutcomes } from '@godwit/protocol'
import { defineSource, failure, refusal, type SourceDefinition } from '@godwit/source'
import { describe, expect, jest, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

interface Visit {
  note?: string
  city?: string
}

type Change = Partial<Mutation> & Pick<Mutation, 'number' | 'operation' | 'object'>

const keyed = (change: Change): Mutation => ({ key: `a key of sixteen ${change.number}`, ...change })
const create = (number: number, object: string, attributes: Visit = {}): Mutation =>
  keyed({ number, operation: 'create', object, attributes: attributes as never })
const update = (number: number, object: string, attributes: Visit, was: Visit, seen = 1): Mutation =>
  keyed({ number, operation: 'update', object, attributes: attributes as never, was: was as never, seen })

function circular(): Visit {
  const attributes: Record<string, unknown> = {}
  attributes['note'] = attributes
  return attributes
}

/** A device with two objects of its user, at version 1. */
async function world(definition: Partial<SourceDefinition<Visit>> = {}) {
  const Visit = defineSource<Visit>({ name: 'Visit', pollInterval: -1, timeout: 0.05, ...definition })
  const on = openServer({ sources: [Visit], limits: { pushWait: 0.2 } })
  const { headers } = await on.device('ada')
  const collection = { source: 'Visit', partition: 'user:ada' }
  await on.store.collections.apply(collection, { replace: { a: { note: 'a' }, b: { note: 'b', city: 'Rome' } } })
  const page = async (query = '') => (await (await on.call('GET', `/app/v1/Visit${query}`, { headers })).json()) as Page
  const { epoch, token } = await page()
  const send = (mutations: readonly Mutation[], more: object = {}) =>
    on.call('POST', '/app/v1/Visit', { headers, body: { epoch, acknowledged: 0, mutations, ...more } })
  const push = async (...mutations: readonly Mutation[]) => (await (await send(mutations)).json()) as PushOutcomes
  const outcomesOf = async (...mutations: readonly Mutation[]): Promise<readonly Outcome[]> =>
    (await push(...mutations)).outcomes
  const objects = async () => (await page()).insert
  return { on, headers, collection, epoch, token, page, send, push, outcomesOf, objects }
}

describe('the answer to a push', () => {
  test('has the outcomes, numbered in the order of decision, and the epoch', async () => {
    let release = (): void => {}
    const waiting = new Promise<void>(resolve => {
      release = resolve
    })
    const { epoch, push } = await world({
      timeout: 5,
      async create({ note }) {
        if (note === 'slow') await waiting
        else release()
      },
    })
    expect(await push(create(1, 't1', { note: 'slow' }), create(2, 't2', { note: 'fast' }))).toEqual({
      epoch,
      outcomes: [
        expect.objectContaining({ outcome: 1, number: 2, status: 'applied' }),
        expect.objectContaining({ outcome: 2, number: 1, status: 'applied' }),
      ],
    })
  })

  test('has applied outcomes, with the link of a create', async () => {
    const calls: unknown[] = []
    const { outcomesOf, objects } = await world({
      create: ({ note }) => `real ${note}`,
      update: (id, changes) => void calls.push([id, changes]),
      delete: id => void calls.push(id),
    })
    const removal = keyed({ number: 3, operation: 'delete', object: 'b', was: { note: 'b', city: 'Rome' }, seen: 1 })
    const outcomes = await outcomesOf(
      create(1, 't1', { note: 'n' }),
      update(2, 'a', { note: 'a2' }, { note: 'a' }),
      removal,
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect(outcomes.find(({ number }) => number === 1)).toMatchObject({ link: 'real n', object: 't1' })
    expect(calls).toEqual(expect.arrayContaining([['a', { note: 'a2' }], 'b']))
    expect(await objects()).toEqual({ a: { note: 'a2' }, 'real n': { note: 'n' } })
  })

  test('keeps the temporary id where the adapter returns none', async () => {
    const { outcomesOf, objects } = await world({ create: () => undefined })
    const [outcome] = await outcomesOf(create(1, 't1', { note: 'n' }))
    expect(outcome).toMatchObject({ status: 'applied' })
    expect(outcome).not.toHaveProperty('link')
    expect(await objects()).toMatchObject({ t1: { note: 'n' } })
  })

  test('has the reason of a refusal, and refuses dependents', async () => {
    const { outcomesOf, objects } = await world({
      create: () => Promise.reject(refusal('A note is short.')),
      update: () => {},
    })
    const dependent = { ...update(2, 't1', { note: 'n2' }, { note: 'n' }), owners: ['t1'] }
    const { seen: _, ...unseen } = dependent
    expect(await outcomesOf(create(1, 't1', { note: 'n' }), unseen)).toMatchObject([
      { number: 1, status: 'refused', error: { code: 'refused', message: 'A note is short.' } },
      { number: 2, status: 'depends_on_refused', error: { code: 'depends_on_refused' } },
    ])
    expect(await objects()).not.toHaveProperty('t1')
  })

  test('has the attributes that lost a conflict', async () => {
    const update_ = jest.fn((): void => {})
    const { on, collection, outcomesOf, objects } = await world({ conflict: 'reject', update: update_ })
    await on.store.collections.apply(collection, { merge: { b: { note: 'theirs' } } })
    const mine = update(1, 'b', { note: 'mine', city: 'Oslo' }, { note: 'b', city: 'Rome' })
    expect(await outcomesOf(mine)).toMatchObject([{ status: 'conflict', error: { code: 'conflict' } }])
    expect(update_).not.toHaveBeenCalled()
    expect(await objects()).toEqual({ a: { note: 'a' }, b: { note: 'theirs', city: 'Rome' } })
  })

  test('reports that the object was removed meanwhile', async () => {
    const { on, collection, outcomesOf, objects } = await world({ update: () => {} })
    await on.store.collections.apply(collection, { remove: ['a'] })
    expect(await outcomesOf(update(1, 'a', { note: 'mine' }, { note: 'a' }))).toMatchObject([{ status: 'gone' }])
    expect(await objects()).not.toHaveProperty('a')
  })

  test('lists undecided mutations, and later their outcomes', async () => {
    let release = (_: string): void => {}
    const { outcomesOf } = await world({
      timeout: 5,
      create: () =>
        new Promise<string>(resolve => {
          release = resolve
        }),
    })
    const mutation = create(1, 't1')
    expect(await outcomesOf(mutation)).toMatchObject([{ number: 1, status: 'queued' }])
    release('real')
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(await outcomesOf(mutation)).toMatchObject([{ outcome: 1, number: 1, status: 'applied', link: 'real' }])
  })

  test('reports a mutation whose effect is unknown as in doubt', async () => {
    const made = jest.fn(() => Promise.reject(failure('socket hang up')))
    const { outcomesOf } = await world({ create: made })
    expect(await outcomesOf(create(1, 't1'))).toMatchObject([
      { number: 1, status: 'in_doubt', error: { code: 'backend_failed', message: 'socket hang up' } },
    ])
    await outcomesOf(create(1, 't1'))
    expect(made).toHaveBeenCalledTimes(1)
  })

  test.each<[string, Partial<SourceDefinition<Visit>>, string]>([
    ['a create that gives true', { create: () => true as never }, 'got a boolean'],
    ['a create that gives NaN', { create: () => Number.NaN }, 'got NaN'],
    ['a create that gives a list', { create: () => ['7'] as never }, 'got a list'],
    ['a create whose id is an object', { create: () => ({ id: {} as never }) }, 'got an object'],
    ['a create whose id is empty', { create: () => '' }, 'got one of 0'],
    [
      'attributes that are not JSON',
      { create: () => ({ attributes: { note: 1n as never } }) },
      '"note" is a bigint, which is no JSON',
    ],
    ['attributes that hold themselves', { create: () => ({ attributes: circular() }) }, 'nested over 100 deep'],
    ['attributes that are text', { create: () => ({ attributes: 'text' as never }) }, 'got a string'],
  ])('is in doubt after %s, and quotes the result', async (_, methods, message) => {
    const { outcomesOf } = await world(methods)
    const error = { code: 'backend_failed', message: expect.stringContaining(message) }
    expect(await outcomesOf(create(1, 't1'))).toMatchObject([{ number: 1, status: 'in_doubt', error }])
  })

  test('is in doubt after an update that returns text, and writes none of it', async () => {
    const { outcomesOf, objects } = await world({ update: () => 'text' as never })
    const message = 'The update of Visit: expected attributes by name, got a string.'
    expect(await outcomesOf(update(1, 'a', { note: 'mine' }, { note: 'a' }))).toMatchObject([
      { status: 'in_doubt', error: { code: 'backend_failed', message } },
    ])
    expect(await objects()).toMatchObject({ a: { note: 'a' } })
  })

  test.each([1, 1n, true])('ignores %p, a row count, as the result of an update', async count => {
    const { outcomesOf, objects } = await world({ update: () => count as never })
    expect(await outcomesOf(update(1, 'a', { note: 'mine' }, { note: 'a' }))).toMatchObject([{ status: 'applied' }])
    expect(await objects()).toMatchObject({ a: { note: 'mine' } })
  })

  test('links to an id that is a big integer without loss', async () => {
    const { outcomesOf } = await world({ create: () => 9007199254740993n })
    expect(await outcomesOf(create(1, 't1'))).toMatchObject([{ status: 'applied', link: '9007199254740993' }])
  })

  test('repeats a doubt despite its acknowledgement, as its number may have been reused', async () => {
    const { send, outcomesOf } = await world({ create: () => Promise.reject(failure('socket hang up')) })
    await outcomesOf(create(1, 't1'))
    const { outcomes } = (await (await send([create(1, 't1')], { acknowledged: 1 })).json()) as PushOutcomes
    expect(outcomes).toMatchObject([{ number: 1, status: 'in_doubt' }])
  })

  test('is the recorded one when a push is repeated', async () => {
    let made = 0
    const { push, objects } = await world({ create: () => `real ${++made}` })
    const mutations = [create(1, 't1', { note: 'x' }), create(2, 't2', { note: 'y' })]
    const first = await push(...mutations)
    expect(await push(...mutations)).toEqual(first)
    expect(made).toBe(2)
    expect(Object.keys((await objects()) ?? {})).toHaveLength(4)
  })

  test('has the version of each outcome, and the object where the device lacks it', async () => {
    const { on, collection, outcomesOf } = await world({
      update: (_, { note }) => (note === 'loud' ? { note: 'LOUD' } : undefined),
    })
    const [quiet] = await outcomesOf(update(1, 'a', { note: 'quiet' }, { note: 'a' }))
    expect(quiet).toMatchObject({ status: 'applied', version: 2 })
    expect(quiet).not.toHaveProperty('attributes')
    const later = await outcomesOf(update(2, 'a', { note: 'loud' }, { note: 'quiet' }, 2))
    expect(later.at(-1)).toMatchObject({ number: 2, version: 3, attributes: { note: 'LOUD' } })
    await on.store.collections.apply(collection, { merge: { b: { city: 'Oslo' } } })
    const missed = await outcomesOf(update(3, 'b', { note: 'mine' }, { note: 'b' }))
    expect(missed.at(-1)).toMatchObject({ number: 3, version: 5, attributes: { note: 'mine', city: 'Oslo' } })
  })
})

describe('a push is refused', () => {
  test('with more than 500 mutations', async () => {
    const { send } = await world({ create: () => undefined })
    const many = Array.from({ length: 501 }, (_, at) => create(at + 1, `t${at}`))
    const answer = await send(many)
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'body_invalid' }])
    expect((await send(many.slice(0, 500))).status).toBe(200)
  })

  test('with more than 1 MiB', async () => {
    const { send } = await world({ create: () => undefined })
    const mutation = create(1, 't1', { note: 'x'.repeat(1024 * 1024 - 1000) })
    expect((await send([mutation])).status).toBe(200)
    const answer = await send([mutation], { padding: 'x'.repeat(1000) })
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'body_too_large' }])
  })

  test('with a gap in its numbers, and runs none of them', async () => {
    const made = jest.fn((): void => {})
    const { send, objects } = await world({ create: made })
    const answer = await send([create(1, 't1'), create(3, 't3')])
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'mutation_gap', expected: 2 }])
    expect(made).not.toHaveBeenCalled()
    expect(Object.keys((await objects()) ?? {})).toEqual(['a', 'b'])
  })

  test('with a known number and another key', async () => {
    const made = jest.fn((): void => {})
    const { send } = await world({ create: made })
    await send([create(1, 't1')])
    const answer = await send([{ ...create(1, 't1'), key: 'another key of sixteen' }])
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'client_forked' }])
    expect(made).toHaveBeenCalledTimes(1)
  })

  test('after an acknowledgement of an outcome that was never sent', async () => {
    const { send } = await world({ create: () => undefined })
    await send([create(1, 't1')])
    const answer = await send([create(1, 't1')], { acknowledged: 1 })
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'client_forked' }])
  })

  test('with another epoch, and the answer has the present one', async () => {
    const { send, epoch } = await world({ create: () => undefined })
    const answer = await send([create(1, 't1')], { epoch: 'another' })
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'epoch_changed', epoch }])
  })
})

describe('a conflict of one attribute', () => {
  const both = update(1, 'b', { note: 'mine', city: 'Oslo' }, { note: 'b', city: 'Rome' })

  async function decided(definition: Partial<SourceDefinition<Visit>>) {
    const sent: unknown[] = []
    const { on, collection, outcomesOf, objects } = await world({
      update: (_, changes) => void sent.push(changes),
      ...definition,
    })
    await on.store.collections.apply(collection, { merge: { b: { note: 'theirs' } } })
    const [outcome] = await outcomesOf(both)
    return { status: outcome?.status, sent, b: (await objects())?.['b'] }
  }

  test('client-wins: the change of the device is kept', async () => {
    const all = { note: 'mine', city: 'Oslo' }
    expect(await decided({})).toEqual({ status: 'applied', sent: [all], b: all })
  })

  test('server-wins: the present value of the attribute is kept, the others are written', async () => {
    const b = { note: 'theirs', city: 'Oslo' }
    expect(await decided({ conflict: 'server-wins' })).toEqual({ status: 'applied', sent: [{ city: 'Oslo' }], b })
  })

  test('resolve: gets base, theirs and mine, and its result is the object', async () => {
    const sides: unknown[] = []
    const resolve: NonNullable<SourceDefinition<Visit>['resolve']> = conflict => {
      sides.push(conflict)
      return { note: `${conflict.theirs?.note} and ${conflict.mine?.note}`, city: 'Bern' }
    }
    const b = { note: 'theirs and mine', city: 'Bern' }
    expect(await decided({ resolve })).toEqual({ status: 'applied', sent: [b], b })
    expect(sides).toEqual([
      {
        base: { note: 'b', city: 'Rome' },
        unknown: [],
        theirs: { note: 'theirs', city: 'Rome' },
        mine: { note: 'mine', city: 'Oslo' },
      },
    ])
  })
})
