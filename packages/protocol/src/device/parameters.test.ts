import { describe, expect, test } from '@jest/globals'
import { compile } from '../validate.js'
import { type PullBody, pullBodySchema } from './page.js'
import { isPartitionParameters, parametersName, parametersOf, readParameters, sourceKeyText } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'
import { anyPagesSchema } from './partition-pages.js'

describe('the parameters of a partition', () => {
  test('equal parameters have one name, whatever the order of their members', () => {
    expect(parametersName({ year: 2026, project: '7' })).toBe('{"project":"7","year":2026}')
    expect(parametersName({ project: '7', year: 2026 })).toBe(parametersName({ year: 2026, project: '7' }))
    expect(parametersName({ project: 7 })).not.toBe(parametersName({ project: '7' }))
  })

  test('a source key is the source alone, or the source with a partition', () => {
    expect(sourceKeyText({ source: 'Task' })).toBe('Task')
    expect(sourceKeyText({ source: 'Task', parameters: { project: '7' } })).toBe('Task {"project":"7"}')
  })

  test('they are one to four texts of up to 256 characters, finite numbers and booleans', () => {
    const check = compile(parametersSchema)
    for (const good of [{ a: 'x' }, { a: 1.5, b: true, c: '', d: 'y'.repeat(256) }]) {
      expect(isPartitionParameters(good)).toBe(true)
      expect(check(good)).toBe(good)
    }
    const five = { a: 1, b: 2, c: 3, d: 4, e: 5 }
    for (const bad of [{}, five, { a: null }, { a: ['x'] }, { a: { b: 1 } }, { a: 'y'.repeat(257) }, ['x'], 'x', 7]) {
      expect(isPartitionParameters(bad)).toBe(false)
      expect(() => check(bad)).toThrow(/body_invalid|not valid/)
    }
    expect(isPartitionParameters({ a: Number.NaN })).toBe(false)
    expect(isPartitionParameters({ a: '\ud800' })).toBe(false)
  })

  test('with `by` they name these attributes, no more and no less', () => {
    expect(isPartitionParameters({ project: '7' }, ['project'])).toBe(true)
    expect(isPartitionParameters({ project: '7', year: 1 }, ['project'])).toBe(false)
    expect(isPartitionParameters({ year: 1 }, ['project'])).toBe(false)
  })

  test('the attributes of an object name its partition, unless one is missing or a list', () => {
    expect(parametersOf(['project'], { project: '7', title: 'x' })).toEqual({ project: '7' })
    expect(parametersOf(['project'], { title: 'x' })).toBeUndefined()
    expect(parametersOf(['project'], { project: null })).toBeUndefined()
    expect(parametersOf(['toString'], {})).toBeUndefined()
  })

  test('a query string has them as JSON text', () => {
    expect(readParameters(undefined)).toBeUndefined()
    expect(readParameters('{"project":"7"}')).toEqual({ project: '7' })
    for (const bad of ['', '{', '7', '{}', '{"a":null}'])
      expect(() => readParameters(bad)).toThrow(/parameters: expected the JSON text of 1 to 4 attributes/)
  })
})

describe('a pull of partitions', () => {
  const check = compile<PullBody>(pullBodySchema)

  test('names up to 1,000 partitions with their tokens', () => {
    const pulls = [{ parameters: { project: '7' }, token: 't', acknowledged: 3, stored_token: '', p_size: 0 }]
    expect(check({ pulls, subscribed: true })).toEqual({ pulls, subscribed: true })
    const many = Array.from({ length: 1001 }, (_, project) => ({ parameters: { project } }))
    expect(() => check({ pulls: many })).toThrow(/pulls must NOT have more than 1000 items/)
    expect(() => check({ pulls: [{ token: 't' }] })).toThrow(/parameters is required/)
  })

  test('has pages, failures and partitions without room in its answer', () => {
    const page = { version: 4, epoch: 'e', token: 't', more: false, status: 'ok', pass: 'p' }
    const counts = { count: 0, progress_count: 0, total_count: 0 }
    const answer = {
      by: ['project'],
      pages: [
        { parameters: { project: '1' }, ...page, ...counts },
        { parameters: { project: '2' }, error: { code: 'partition_not_allowed', message: 'No.' } },
        { parameters: { project: '3' }, more: true },
      ],
      partitions: [{ parameters: { project: '1' }, head: 4, epoch: 'e' }, { parameters: { project: '9' } }],
    }
    expect(compile(anyPagesSchema)(answer)).toBe(answer)
  })
})
