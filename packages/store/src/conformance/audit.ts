import type { AuditRow } from '../audit.js'
import { HOSTILE } from './hostile.js'
import type { Suite } from './suite.js'

const row = (number: number, text = `entry ${number}`): AuditRow => ({ number, text, hash: `hash ${number}` })
const rows = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => row(first + index))

export function describeAudit({ describe, fact, expect }: Suite): void {
  describe('the audit', () => {
    fact('grows at its end, and is read from there', async ({ store: { audit } }) => {
      expect([await audit.head(), await audit.list({ limit: 9 })]).toEqual([undefined, []])
      expect(await audit.append([row(1)])).toBe(true)
      expect(await audit.append(rows(2, 5))).toBe(true)
      expect(await audit.append([])).toBe(true)
      expect(await audit.head()).toEqual({ number: 5, hash: 'hash 5' })
      expect(await audit.list({ limit: 2 })).toEqual([row(5), row(4)])
      expect(await audit.list({ before: 4, limit: 2 })).toEqual([row(3), row(2)])
      expect(await audit.list({ before: 2, limit: 9 })).toEqual([row(1)])
      expect(await audit.list({ before: 1, limit: 9 })).toEqual([])
      expect(await audit.list({ before: 99, limit: 1 })).toEqual([row(5)])
    })

    fact('takes all rows or none, and the next number alone', async ({ store: { audit } }) => {
      await audit.append(rows(1, 2))
      for (const first of [1, 2, 4]) expect(await audit.append(rows(first, first + 1))).toBe(false)
      expect(await audit.list({ limit: 9 })).toEqual([row(2), row(1)])
      const both = await Promise.all([audit.append([row(3, 'one')]), audit.append([row(3, 'other')])])
      expect(both.filter(isKept => isKept).length).toBe(1)
      expect((await audit.list({ limit: 9 })).length).toBe(3)
    })

    fact('keeps hostile text as it is', async ({ store: { audit } }) => {
      const hostile = HOSTILE.map(text => text.toWellFormed())
      await audit.append(hostile.map((text, index) => row(index + 1, text)))
      const texts = (await audit.list({ limit: hostile.length })).map(({ text }) => text)
      expect(texts.reverse()).toEqual(hostile)
    })

    fact('outlives a clear', async ({ store }) => {
      await store.audit.append(rows(1, 2))
      await store.clear()
      expect(await store.audit.list({ limit: 9 })).toEqual([row(2), row(1)])
      expect(await store.audit.append([row(3)])).toBe(true)
    })
  })
}
