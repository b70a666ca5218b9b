import { expect, jest, test } from '@jest/globals'
import { ChangeGatherer } from './change-gatherer.js'

function gathering() {
  jest.useFakeTimers()
  const told: { readonly at: number; readonly by: string | undefined }[] = []
  const begun = Date.now()
  const gatherer = new ChangeGatherer({
    wait: () => 3,
    gap: () => 100,
    announce: (_, by) => void told.push({ at: Date.now() - begun, by }),
  })
  const changed = (by?: string, source = 'City') => gatherer.changed({ source, partition: '*' }, by)
  return { told, changed, gatherer, pass: (milliseconds: number) => jest.advanceTimersByTime(milliseconds) }
}

test('sends the first change soon, later ones once per interval, and keeps no state', () => {
  const { told, changed, pass } = gathering()
  for (let at = 0; at < 250; at += 10) {
    changed()
    pass(10)
  }
  pass(1000)
  expect(told.map(({ at }) => at)).toEqual([3, 103, 203, 303])
  expect(jest.getTimerCount()).toBe(0)
  changed()
  pass(3)
  expect(told).toHaveLength(5)
})

test('skips a client only where it made all of the changes', () => {
  const { told, changed, pass, gatherer } = gathering()
  changed('phone')
  changed('phone')
  pass(3)
  changed('laptop')
  pass(100)
  changed('phone')
  changed()
  pass(100)
  changed()
  changed('phone')
  pass(100)
  expect(told.map(({ by }) => by)).toEqual(['phone', 'laptop', undefined, undefined])
  changed()
  gatherer.close()
  expect(jest.getTimerCount()).toBe(0)
})
