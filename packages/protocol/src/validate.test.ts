import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isSyncError, type SyncError } from './errors/sync-error.js'
import { anything, boolean, either, integer, mapOf, nullable, object, oneOf, optional, string } from './schema.js'
import { schemas } from './schemas.js'
import { compile } from './validate.js'

interface Message {
  readonly name: string
  readonly count?: number
  readonly kind?: 'a' | 'b'
}

const members = {
  name: string({ minLength: 1 }),
  count: optional(integer({ minimum: 0 })),
  kind: optional(oneOf('a', 'b')),
}
const check = compile(object<Message>(members))

function errorOf(run: () => unknown): SyncError {
  try {
    run()
  } catch (error) {
    if (isSyncError(error)) return error
  }
  throw new Error('nothing was refused')
}

test('returns the same value, unknown members included', () => {
  const value = { name: 'x', more: [1] }
  expect(check(value)).toBe(value)
})

test('never quotes what may be secret, of any type', () => {
  const login = compile(
    object<{ password: string; attributes: { token: number } }>({
      password: string({ maxLength: 8 }),
      attributes: object<{ token: number }>({ token: integer() }),
    }),
  )
  const messages = (value: unknown) => {
    const error = errorOf(() => login(value))
    return `${error.message} ${JSON.stringify(error.details)}`
  }
  expect(messages({ password: 'hunter2hunter2', attributes: {} })).toMatch(/got a text of 14 characters/)
  for (const secret of ['hunter2hunter2', 8675309])
    expect(messages({ password: secret, attributes: { token: String(secret) } })).not.toContain(String(secret))
})

test('names the path, the expected and the given value', () => {
  const error = errorOf(() => check({ name: 7 }))
  expect(error.code).toBe('body_invalid')
  expect(error.message).toBe('The body is not valid: /name must be string, got 7.')
  expect(error.details).toEqual({ errors: [{ path: '/name', message: 'must be string, got 7' }] })
})

test('names every invalid member', () => {
  const { details } = errorOf(() => check({ count: -1, kind: 'c' }))
  expect(details['errors']).toEqual([
    { path: '/name', message: 'is required, but missing' },
    { path: '/count', message: 'must be >= 0, got -1' },
    { path: '/kind', message: 'must be equal to one of the allowed values: ["a","b"], got "c"' },
  ])
})

test('names what is allowed when a closed object has another member', () => {
  const closed = compile(object<Message>(members, { closed: true }))
  expect(errorOf(() => closed({ name: 'x', colour: 1 })).message).toBe(
    'The body is not valid: /colour is not allowed here; allowed are name, count, kind.',
  )
})

describe('the faults of a union', () => {
  const several = compile(
    object<{ data: string | Record<string, Record<string, unknown>>; size: number | null }>({
      data: either(string({ minLength: 1 }), mapOf(mapOf(anything))),
      size: nullable(integer()),
    }),
  )
  test.each([
    [{ data: 5, size: 1 }, '/data must be string or object, got 5'],
    [{ data: { x: 'y' }, size: 1 }, '/data/x must be object, got "y"'],
    [{ data: '', size: 1 }, '/data must NOT have fewer than 1 characters, got ""'],
    [{ data: 'x', size: 'y' }, '/size must be integer or null, got "y"'],
  ])('lists all alternatives, or the faults of the one that was meant: %j', (value, message) => {
    expect(errorOf(() => several(value)).message).toBe(`The body is not valid: ${message}.`)
  })
})

test('escapes member names in paths', () => {
  const nested = compile(mapOf(mapOf(string())))
  expect(errorOf(() => nested({ 'a/b': { '~': 1 } })).details['errors']).toEqual([
    { path: '/a~1b/~0', message: 'must be string, got 1' },
  ])
})

test('never quotes long values', () => {
  const { message } = errorOf(() => compile(integer())('x'.repeat(5000)))
  expect(message).toContain('a text of 5000 characters')
})

test('stops at the first fault within a member', () => {
  const faults = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`id${index}`, 1]))
  expect(
    errorOf(() => compile(object<{ map: object }>({ map: mapOf(mapOf(anything)) }))({ map: faults })).details['errors'],
  ).toHaveLength(1)
})

describe('from text', () => {
  interface Query {
    readonly size?: number
    readonly deep?: boolean
  }
  const query = compile(object<Query>({ size: optional(integer()), deep: optional(boolean) }), {
    what: 'query',
    fromText: true,
  })

  test('reads numbers and booleans', () => {
    expect(query({ size: '25', deep: 'true' })).toEqual({ size: 25, deep: true })
  })

  test.each(['', '1.5', 'x'])('refuses %j as an integer', size => {
    expect(errorOf(() => query({ size })).message).toContain('The query is not valid: /size must be integer')
  })
})

test('a page size beyond the limit is refused', () => {
  const pull = compile(schemas.device.pull.query, { what: 'query', fromText: true })
  for (const p_size of ['-1', '10001', '1e400']) expect(() => pull({ p_size })).toThrow('/p_size must be')
})

test('an index that is no safe integer is refused', () => {
  const stats = compile(schemas.system.stats.query, { what: 'query', fromText: true })
  const audit = compile(schemas.operations.audit.query, { what: 'query', fromText: true })
  for (const huge of ['1e300', '9007199254740993']) {
    expect(() => stats({ metric: 'x', start: huge })).toThrow('/start must be')
    expect(() => stats({ metric: 'x', finish: `-${huge}` })).toThrow('/finish must be')
    expect(() => audit({ before: huge })).toThrow('/before must be')
  }
  expect(stats({ metric: 'x', start: '-60' })).toEqual({ metric: 'x', start: -60 })
})

test('hostile names of objects and attributes are data', () => {
  const push = compile(schemas.plugin.pushObjects.body)
  const text = '{"user_id":"ada","objects":{"__proto__":{"constructor":1,"__proto__":{"x":1}},"":{},"a:*\\n":{}}}'
  expect(JSON.stringify(push(JSON.parse(text)))).toBe(text)
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('every schema of a route is a valid JSON schema', () => {
  const ajv = new Ajv2020({ strict: false })
  const groups = Object.values(schemas as Record<string, Record<string, { query?: object; body?: object }>>)
  const given = groups.flatMap(group => Object.values(group))
  const all = given.flatMap(({ query, body }) => [query, body]).filter(schema => schema !== undefined)
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter(schema => ajv.validateSchema(schema) !== true)).toEqual([])
})
