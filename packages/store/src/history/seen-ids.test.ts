import { describe, expect, test } from '@jest/globals'
import { SeenIds } from './seen-ids.js'

describe('seen ids', () => {
  test('are distinguished from all others, in any number', () => {
    const seen = new SeenIds()
    const count = 50_000
    for (let number = 0; number < count; number++) seen.record(`id ${number}`, '{}', false)
    expect(seen.size).toBe(count)
    for (let number = 0; number < count; number++) if (!seen.has(`id ${number}`)) throw new Error(`lost ${number}`)
    for (let number = count; number < 2 * count; number++)
      if (seen.has(`id ${number}`)) throw new Error(`had ${number}`)
  })

  test('distinguish the first time from later ones', () => {
    const seen = new SeenIds()
    expect([seen.record('a', '{}', false), seen.record('b', '{}', false), seen.record('a', '{}', true)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('know the latest, or that it will be compared again', () => {
    const seen = new SeenIds()
    seen.record('a', '{"x":1}', false)
    expect([seen.settles('a', '{"x":1}'), seen.settles('a', '{"x":2}'), seen.settles('a', null)]).toEqual([
      true,
      false,
      false,
    ])
    seen.record('a', '{"x":2}', true)
    expect([seen.settles('a', '{"x":1}'), seen.settles('a', null)]).toEqual([true, true])
  })

  test.each(['', '\u0000', '__proto__', '\ud83d\ude00'])('accept %j like any other text', id => {
    const seen = new SeenIds()
    expect([seen.has(id), seen.record(id, id, false), seen.has(id)]).toEqual([false, true, true])
  })
})
