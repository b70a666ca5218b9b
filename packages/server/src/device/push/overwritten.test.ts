import type { Attributes, Mutation, Page, PushOutcomes } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

type Change = Partial<Mutation> & Pick<Mutation, 'number' | 'operation' | 'object'>

const keyed = (change: Change): Mutation => ({ key: `a key of sixteen ${change.number}`, ...change })
const update = (number: number, attributes: Attributes, was: Attributes, seen?: number): Mutation =>
  keyed({ number, operation: 'update', object: 'a', attributes, was, ...(seen && { seen }) })
const remove = (number: number, was: Attributes): Mutation =>
  keyed({ number, operation: 'delete', object: 'a', was, seen: 1 })

const START = { note: 'start', stars: 1, city: 'Rome' }

/** A device that has seen an object with these values, and the values that others have written since. */
async function world(theirs: Attributes, definition: Partial<SourceDefinition<Attributes>> = {}) {
  const Visit = defineSource({
    name: 'Visit',
    pollInterval: -1,
    idempotent: true,
    update: () => {},
    delete: () => {},
    ...definition,
  })
  const on = openServer({ sources: [Visit] })
  const { headers } = await on.device('ada')
  const collection = { source: 'Visit', partition: 'user:ada' }
  await on.store.collections.apply(collection, { replace: { a: START, b: START } })
  const { epoch } = (await (await on.call('GET', '/app/v1/Visit', { headers })).json()) as Page
  await on.store.collections.apply(collection, { merge: { a: theirs } })
  const push = async (...mutations: readonly Mutation[]) => {
    const body = { epoch, acknowledged: 0, mutations }
    const answer = await on.call('POST', '/app/v1/Visit', { headers, body })
    return ((await answer.json()) as PushOutcomes).outcomes
  }
  return { on, collection, push }
}

describe('an applied change', () => {
  test('tells the values of others that it replaced', async () => {
    const { push } = await world({ note: 'theirs', stars: null, city: 'Oslo' })
    const mine = update(1, { note: 'mine', stars: 5, city: 'Oslo' }, START, 1)
    expect(await push(mine)).toMatchObject([{ status: 'applied', overwrote: { note: 'theirs', stars: null } }])
  })

  test('tells them again when it is sent again', async () => {
    const { push } = await world({ note: 'theirs' })
    const mine = update(1, { note: 'mine' }, { note: 'start' }, 1)
    expect(await push(mine)).toEqual(await push(mine))
  })

  test('tells nothing where no other device wrote', async () => {
    const { push } = await world({ city: 'Oslo' })
    const [outcome] = await push(update(1, { note: 'mine' }, { note: 'start' }, 1))
    expect(outcome).toMatchObject({ status: 'applied' })
    expect(outcome).not.toHaveProperty('overwrote')
  })

  test('tells nothing of what the backend made of the former change of the same device', async () => {
    const { push } = await world({}, { update: (_, { note }) => ({ note: `${note}`.trim() }) })
    const outcomes = await push(
      update(1, { note: 'first ' }, { note: 'start' }, 1),
      update(2, { note: 'second' }, { note: 'first ' }),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied'])
    expect(outcomes.some(outcome => 'overwrote' in outcome)).toBe(false)
  })

  test('that removes an object tells what others changed in it', async () => {
    const { push } = await world({ note: 'theirs' })
    expect(await push(remove(1, START))).toMatchObject([{ status: 'applied', overwrote: { note: 'theirs' } }])
  })

  test('of a source that passes through tells nothing', async () => {
    const { push } = await world({ note: 'theirs' }, { passThrough: true })
    const [outcome] = await push(remove(1, START))
    expect(outcome).toMatchObject({ status: 'applied' })
    expect(outcome).not.toHaveProperty('overwrote')
  })

  test('tells a value of any size, within an answer of a mebibyte or one outcome', async () => {
    const large = 'x'.repeat(700_000)
    const { on, collection, push } = await world({ note: large })
    await on.store.collections.apply(collection, { merge: { b: { note: large } } })
    const first = update(1, { note: 'mine' }, { note: 'start' }, 1)
    const second = { ...update(2, { note: 'mine' }, { note: 'start' }, 1), object: 'b' }
    const outcomes = await push(first, second)
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'queued'])
    expect(outcomes[0]?.overwrote).toEqual({ note: large })
  })
})

describe('a conflict that resolve decides', () => {
  const replacedBy = async (resolve: NonNullable<SourceDefinition<Attributes>['resolve']>, change?: Mutation) => {
    const { push } = await world({ note: 'theirs', stars: 3 }, { resolve })
    const [outcome] = await push(change ?? update(1, { note: 'mine', stars: 5 }, START, 1))
    return outcome?.status === 'applied' ? outcome.overwrote : outcome?.status
  }

  test('for the device tells what it replaced', async () => {
    expect(await replacedBy(({ mine }) => mine as Attributes)).toEqual({ note: 'theirs', stars: 3 })
    expect(await replacedBy(({ theirs, mine }) => ({ ...theirs, note: mine?.['note'] ?? null }))).toEqual({
      note: 'theirs',
    })
    expect(await replacedBy(() => undefined, remove(1, START))).toEqual({ note: 'theirs', stars: 3 })
  })

  test('for both, or for the server, tells nothing', async () => {
    const both = await replacedBy(({ theirs, mine }) => ({ ...theirs, note: `${theirs?.['note']}, ${mine?.['note']}` }))
    expect(both).toBeUndefined()
    expect(await replacedBy(({ theirs }) => theirs)).toBe('conflict')
  })
})
