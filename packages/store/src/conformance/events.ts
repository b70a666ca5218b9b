import type { JsonValue } from '@godwit/protocol'
import { until } from './jobs/suite.js'
import type { Suite } from './suite.js'

export function describeEvents({ describe, fact, expect }: Suite): void {
  describe('events', () => {
    fact('reach every subscriber of their channel, in order, and no other', async ({ store: { events } }) => {
      const heard: JsonValue[] = []
      await events.subscribe('a:*', event => heard.push(['one', event]))
      await events.subscribe('a:*', event => heard.push(['two', event]))
      await events.subscribe('a', event => heard.push(['other', event]))
      await events.publish('a:*', { n: 1, '\n': null })
      await events.publish('a:*', 2)
      await until(() => heard.length >= 4)
      const of = (name: string) => heard.filter(event => Array.isArray(event) && event[0] === name)
      expect(of('one')).toEqual([
        ['one', { n: 1, '\n': null }],
        ['one', 2],
      ])
      expect([of('two').length, of('other').length]).toEqual([2, 0])
    })

    fact('end with the subscription', async ({ store: { events } }) => {
      const heard: JsonValue[] = []
      const end = await events.subscribe('a', event => heard.push(event))
      await events.subscribe('a', event => heard.push(event))
      await end()
      await end()
      await events.publish('a', 1)
      await events.publish('a', 2)
      await until(() => heard.length >= 2)
      expect(heard).toEqual([1, 2])
    })

    fact('survive a listener that throws, and one that changes what it gets', async ({ store: { events } }) => {
      const heard: JsonValue[] = []
      await events.subscribe('a', () => {
        throw new TypeError('a listener failed')
      })
      await events.subscribe('a', event => Object.assign(event as object, { n: 9 }))
      await events.subscribe('a', event => heard.push(event))
      await events.publish('a', { n: 1 })
      await until(() => heard.length > 0)
      expect(heard).toEqual([{ n: 1 }])
    })
  })
}
