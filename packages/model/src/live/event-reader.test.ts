import { describe, expect, test } from '@jest/globals'
import { Events, type SdkEvent } from '../events/sdk-events.js'

const event = (source: string): SdkEvent => ({ kind: 'schema', source })

describe('a reader of events', () => {
  test('ends at once on return, though it waits for the next event', async () => {
    const events = new Events()
    const reader = events.all()
    const waiting = reader.next()
    expect(await reader.return()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
    events.emit(event('a'))
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })

  test('receives every event since its creation, in order, for several readers', async () => {
    const events = new Events()
    const reader = events.all()
    for (const source of ['a', 'b']) events.emit(event(source))
    const all = [reader.next(), reader.next(), reader.next()]
    events.emit(event('c'))
    expect((await Promise.all(all)).map(({ value }) => value)).toEqual(['a', 'b', 'c'].map(event))
  })

  test('reads what came before the end, and leaves no listener behind', async () => {
    const events = new Events()
    const heard: SdkEvent[] = []
    const loop = (async () => {
      for await (const one of events.all()) heard.push(one)
    })()
    events.emit(event('a'))
    events.close()
    await loop
    expect(heard).toEqual([event('a')])
    const left = events.all()
    events.emit(event('b'))
    for await (const _ of left) break
    await expect(events.all().throw(new Error('mine'))).rejects.toThrow('mine')
    await using disposed = events.all()
    expect(disposed[Symbol.asyncIterator]()).toBe(disposed)
  })
})
