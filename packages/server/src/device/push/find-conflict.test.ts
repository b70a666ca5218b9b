import type { Mutation } from '@godwit/protocol'
import type { StoredObjectState } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { type ConflictDecision, decideConflict } from './find-conflict.js'

const live = (attributes: Record<string, unknown>): StoredObjectState => ({
  state: 'live',
  version: 5,
  attributes: attributes as never,
})
const gone: StoredObjectState = { state: 'gone', version: 6 }
const never: StoredObjectState = { state: 'never' }

const create: Mutation = {
  number: 1,
  key: 'k'.repeat(16),
  operation: 'create',
  object: 'o',
  attributes: { note: 'new' },
}
const update: Mutation = { ...create, operation: 'update', attributes: { note: 'mine' }, was: { note: 'old' }, seen: 3 }
const remove: Mutation = {
  number: 1,
  key: 'k'.repeat(16),
  operation: 'delete',
  object: 'o',
  was: { note: 'old' },
  seen: 3,
}
const unseen = (mutation: Mutation): Mutation => {
  const { seen, ...rest } = mutation
  return rest
}

const asked: ConflictDecision = { operation: 'update', changes: { note: 'mine' }, stored: true }
const policy = (conflict: 'client-wins' | 'server-wins' | 'reject') => ({ conflict, methods: {} })

test.each<[string, unknown]>([
  ['a promise', Promise.resolve({ note: 'theirs' })],
  ['text', 'theirs'],
  ['a list', ['theirs']],
  ['null', null],
  ['what is not JSON', { note: 1n }],
])('a resolve that returns %s decides nothing', (_, given) => {
  const resolving = { conflict: 'client-wins', methods: { resolve: () => given as never } } as const
  for (const before of [live({ note: 'theirs' }), gone])
    expect(() => decideConflict(resolving, update, before)).toThrow()
})

describe('the twelve cases, with client-wins', () => {
  const created: ConflictDecision = { operation: 'create', attributes: { note: 'new' } }
  test.each<[string, Mutation, StoredObjectState, ConflictDecision]>([
    ['create, live', create, live({ note: 'old' }), created],
    ['create, changed', create, live({ note: 'theirs' }), created],
    ['create, gone', create, gone, created],
    ['create, never', create, never, created],
    ['update, live', update, live({ note: 'old' }), asked],
    ['update, changed', update, live({ note: 'theirs' }), { ...asked, overwrote: { note: 'theirs' } }],
    ['update, gone', update, gone, { outcome: 'gone' }],
    ['update, never', unseen(update), never, { operation: 'update', changes: { note: 'mine' }, stored: false }],
    ['delete, live', remove, live({ note: 'old' }), { operation: 'delete' }],
    ['delete, changed', remove, live({ note: 'theirs' }), { operation: 'delete', overwrote: { note: 'theirs' } }],
    ['delete, gone', remove, gone, { outcome: 'applied' }],
    ['delete, never', unseen(remove), never, { operation: 'delete' }],
  ])('%s', (_, mutation, before, decision) => {
    expect(decideConflict(policy('client-wins'), mutation, before)).toEqual(decision)
  })

  test('an object that the device saw and the collection lacks was removed', () => {
    expect(decideConflict(policy('client-wins'), update, never)).toEqual({ outcome: 'gone' })
    expect(decideConflict(policy('client-wins'), remove, never)).toEqual({ outcome: 'applied' })
  })
})

describe('a changed object', () => {
  const both: Mutation = { ...update, attributes: { note: 'mine', rating: 5 }, was: { note: 'old', rating: 1 } }

  test('server-wins keeps the conflicting attributes and sends the others', () => {
    const decision = decideConflict(policy('server-wins'), both, live({ note: 'theirs', rating: 1 }))
    expect(decision).toEqual({ operation: 'update', changes: { rating: 5 }, stored: true })
  })

  test('server-wins with nothing left to send is a conflict', () => {
    expect(decideConflict(policy('server-wins'), update, live({ note: 'theirs' }))).toEqual({ outcome: 'conflict' })
  })

  test.each(['server-wins', 'reject'] as const)('%s refuses to delete it', conflict => {
    expect(decideConflict(policy(conflict), remove, live({ note: 'theirs' }))).toEqual({ outcome: 'conflict' })
  })

  test('reject refuses the whole update', () => {
    expect(decideConflict(policy('reject'), both, live({ note: 'theirs', rating: 1 }))).toEqual({ outcome: 'conflict' })
  })

  test('the value that the device wants is no conflict', () => {
    expect(decideConflict(policy('reject'), update, live({ note: 'mine' }))).toEqual(asked)
  })

  test('null and absent are the same', () => {
    const cleared: Mutation = { ...update, attributes: { note: null }, was: { note: 'old' } }
    expect(decideConflict(policy('reject'), cleared, live({}))).toEqual({
      operation: 'update',
      changes: { note: null },
      stored: true,
    })
  })

  test('inherited names are ordinary attributes', () => {
    const hostile: Mutation = { ...update, attributes: { constructor: 'mine' }, was: {} }
    expect(decideConflict(policy('reject'), hostile, live({}))).toEqual({
      operation: 'update',
      changes: { constructor: 'mine' },
      stored: true,
    })
  })

  test('of a full update only the changed attributes conflict, and the source gets the present others', () => {
    const full: Mutation = { ...both, changed: ['rating'] }
    expect(decideConflict(policy('reject'), full, live({ note: 'theirs', rating: 1 }))).toEqual({
      operation: 'update',
      changes: { rating: 5 },
      full: { note: 'theirs', rating: 5 },
      stored: true,
    })
  })

  test('a full update brings no attribute back that was removed meanwhile', () => {
    const full: Mutation = { ...both, changed: ['rating'] }
    expect(decideConflict(policy('reject'), full, live({ rating: 1 }))).toEqual({
      operation: 'update',
      changes: { rating: 5 },
      full: { rating: 5 },
      stored: true,
    })
  })
})

describe('resolve', () => {
  const sides: unknown[] = []
  const resolving = (result: Record<string, string> | undefined) => ({
    conflict: 'reject' as const,
    methods: {
      resolve: (conflict: unknown) => {
        sides.push(conflict)
        return result
      },
    },
  })

  test('of a full update, mine has only what the device changed', () => {
    const full: Mutation = {
      ...update,
      attributes: { note: 'mine', city: 'Rome', area: 'old' },
      changed: ['note'],
    }
    decideConflict(resolving(undefined), full, live({ note: 'theirs', city: 'Oslo' }))
    expect(sides.pop()).toEqual({
      base: { note: 'old', city: 'Oslo' },
      unknown: [],
      theirs: { note: 'theirs', city: 'Oslo' },
      mine: { note: 'mine', city: 'Oslo' },
    })
  })

  test('gets base, theirs and mine, and its result is sent as changes', () => {
    const decision = decideConflict(
      resolving({ note: 'mine', city: 'Rome' }),
      update,
      live({ note: 'theirs', city: 'Rome' }),
    )
    expect(sides.pop()).toEqual({
      base: { note: 'old', city: 'Rome' },
      unknown: [],
      theirs: { note: 'theirs', city: 'Rome' },
      mine: { note: 'mine', city: 'Rome' },
    })
    expect(decision).toEqual({ ...asked, overwrote: { note: 'theirs' } })
  })

  test('returning theirs is a conflict, without a call of the backend', () => {
    expect(decideConflict(resolving({ note: 'theirs' }), update, live({ note: 'theirs' }))).toEqual({
      outcome: 'conflict',
    })
  })

  test('returning nothing removes the object', () => {
    expect(decideConflict(resolving(undefined), update, live({ note: 'theirs' }))).toEqual({ operation: 'delete' })
  })

  test('may restore a removed object', () => {
    expect(decideConflict(resolving({ note: 'mine' }), update, gone)).toEqual({
      operation: 'update',
      changes: { note: 'mine' },
      stored: true,
    })
    expect(decideConflict(resolving(undefined), update, gone)).toEqual({ outcome: 'gone' })
  })
})
