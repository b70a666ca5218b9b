import { emptyRecord } from '@godwit/protocol'
import { HOSTILE } from './hostile.js'
import { canonical, codeOf, headOf, queryLease, type Suite } from './suite.js'

export function describeApply({ describe, fact, expect }: Suite): void {
  describe('apply', () => {
    fact(
      'makes the collection when nothing guards it, and one version per batch that changes something',
      async scene => {
        const { collections } = scene.store
        expect(await collections.head(scene.collection)).toBe(undefined)
        const first = await collections.apply(scene.collection, { merge: { a: { x: 1 }, b: { x: 2 } } })
        const second = await collections.apply(scene.collection, { merge: { a: { x: 3 } } })
        expect(first).toMatchObject({ version: 1, changed: 2, count: 2 })
        expect(second).toMatchObject({ version: 2, changed: 1, count: 2 })
        expect(await headOf(scene)).toMatchObject({
          version: 2,
          count: 2,
          floor: 0,
          queriesRequested: 0,
          queriesServed: 0,
        })
      },
    )

    fact('gives each version a mark, and tells version, mark and epoch as the head does', async scene => {
      const { collections } = scene.store
      const opened = await collections.open(scene.collection)
      const applied = await collections.apply(scene.collection, { merge: { a: { x: 1 } } })
      const { version, mark, epoch } = await headOf(scene)
      expect(applied).toMatchObject({ version, mark, epoch })
      expect(epoch).toBe(opened.epoch)
      expect(mark === opened.mark).toBe(false)
    })

    fact('makes no version of equal content, whatever the order of attributes', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1, y: { p: 1, q: [1, null] } } } })
      const before = await headOf(scene)
      const merged = await collections.apply(scene.collection, { merge: { a: { y: { q: [1, null], p: 1 } } } })
      const replaced = await collections.apply(scene.collection, {
        replace: { a: { y: { q: [1, null], p: 1 }, x: 1, z: null } },
      })
      expect([merged, replaced].map(applied => 'changed' in applied && applied.changed)).toEqual([0, 0])
      expect(await headOf(scene)).toEqual(before)
    })

    fact('takes values of different kinds for different', async scene => {
      const { collections } = scene.store
      const values = [0, '0', false, '', [], {}, [0], { 0: 0 }, [null], [[null]], { a: null }, { b: null }]
      for (const [index, value] of values.entries())
        expect(await collections.apply(scene.collection, { merge: { a: { x: value } } })).toMatchObject({
          version: index + 1,
        })
    })

    fact('applies the members of a batch in their order', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1, y: 1 }, b: { x: 1 }, c: { x: 1 } } })
      await collections.apply(scene.collection, {
        removeAttributes: { a: ['x'], b: ['x'] },
        replace: { b: { z: 3 } },
        merge: { a: { x: 2 }, b: { w: 4 }, c: { y: 1 } },
        remove: ['c'],
      })
      expect(canonical(await collections.get(scene.collection, ['a', 'b', 'c']))).toBe(
        canonical({ a: { x: 2, y: 1 }, b: { z: 3, w: 4 } }),
      )
    })

    fact('removes an object whose last attribute goes, unless the batch gives it another', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 }, b: { x: 1 }, c: {} } })
      await collections.apply(scene.collection, {
        removeAttributes: { a: ['x', 'unknown'], b: ['x'], c: ['x'], unknown: ['x'] },
        merge: { b: { y: 1 } },
      })
      expect(await collections.get(scene.collection, ['a', 'b', 'c', 'unknown'])).toEqual({ b: { y: 1 }, c: {} })
      expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'gone', version: 2 })
      expect(await collections.look(scene.collection, 'unknown')).toEqual({ state: 'never' })
    })

    fact('keeps an object whose attributes are all merged away: {} is an object', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 }, b: { y: null } } })
      await collections.apply(scene.collection, { merge: { a: { x: null } } })
      expect(await collections.get(scene.collection, ['a', 'b'])).toEqual({ a: {}, b: {} })
      expect(await headOf(scene)).toMatchObject({ count: 2, version: 2 })
    })

    fact('leaves a tombstone of every removed id, known before or not', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 } } })
      expect(await collections.apply(scene.collection, { remove: ['a', 'never'] })).toMatchObject({
        changed: 2,
        count: 0,
      })
      expect(await collections.look(scene.collection, 'never')).toEqual({ state: 'gone', version: 2 })
      expect(await collections.apply(scene.collection, { remove: ['a', 'never'] })).toMatchObject({
        changed: 0,
        version: 2,
      })
    })

    fact('brings a removed object back without what it had', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 } } })
      await collections.apply(scene.collection, { remove: ['a'] })
      await collections.apply(scene.collection, { merge: { a: { y: 2 } } })
      expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'live', version: 3, attributes: { y: 2 } })
    })

    fact('counts an equal write as a change while a query runs, and only then', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 } }, remove: ['b'] })
      const lease = await queryLease(scene, 1000)
      expect(await collections.apply(scene.collection, { merge: { a: { x: 1 } } })).toMatchObject({
        version: 2,
        changed: 1,
      })
      expect(await collections.apply(scene.collection, { remove: ['b'] })).toMatchObject({ version: 3, changed: 1 })
      scene.clock.now += 1000
      expect(await collections.apply(scene.collection, { merge: { a: { x: 1 } } })).toMatchObject({
        version: 3,
        changed: 0,
      })
      await scene.store.leases.release(lease)
    })

    fact('refuses another epoch or none, and changes nothing', async scene => {
      const { collections } = scene.store
      const batch = { merge: { a: { x: 1 } } }
      expect(await collections.apply(scene.collection, batch, { epoch: 'any' })).toEqual({ refused: 'epoch' })
      expect(await collections.head(scene.collection)).toBe(undefined)
      const { epoch } = await collections.open(scene.collection)
      expect(await collections.apply(scene.collection, batch, { epoch: `${epoch}x` })).toEqual({ refused: 'epoch' })
      expect(await collections.apply(scene.collection, batch, { epoch })).toMatchObject({ version: 1 })
      await collections.drop(scene.collection)
      expect(await collections.apply(scene.collection, batch, { epoch })).toEqual({ refused: 'epoch' })
    })

    fact('refuses ids that are empty or over 1,024 bytes, with everything that came with them', async scene => {
      const { collections } = scene.store
      for (const id of ['', 'a'.repeat(1025), `${'é'.repeat(512)}a`, '😀'.repeat(257)])
        for (const batch of [
          { merge: { ok: {}, [id]: {} } },
          { replace: { ok: {}, [id]: {} } },
          { remove: ['ok', id] },
        ])
          expect(await codeOf(collections.apply(scene.collection, batch))).toBe('body_invalid')
      expect((await collections.open(scene.collection)).version).toBe(0)
      const longest = ['a'.repeat(1024), 'é'.repeat(512), '\u07ff'.repeat(512), '\u0800'.repeat(341), '😀'.repeat(256)]
      expect(await collections.apply(scene.collection, { remove: longest })).toMatchObject({ changed: 5 })
    })

    fact('refuses more than 1,000 objects', async scene => {
      const ids = Array.from({ length: 1001 }, (_, index) => `id ${index}`)
      expect(await codeOf(scene.store.collections.apply(scene.collection, { remove: ids }))).toBe('body_invalid')
      expect(await scene.store.collections.apply(scene.collection, { remove: ids.slice(1) })).toMatchObject({
        changed: 1000,
      })
    })

    fact('replaces lone surrogates in ids, so that the id is the same text everywhere', async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { 'a\ud800b': { x: '\ud800' } } })
      expect(Object.keys(await collections.get(scene.collection, ['a\ufffdb', 'a\udfffb']))).toEqual(['a\ufffdb'])
      expect(await collections.look(scene.collection, 'a\udc00b')).toMatchObject({ attributes: { x: '\ud800' } })
    })

    fact('keeps hostile ids and names as plain data', async scene => {
      const { collections } = scene.store
      const attributes = Object.assign(emptyRecord<string>(), Object.fromEntries(HOSTILE.map(name => [name, name])))
      const objects = Object.assign(emptyRecord(), Object.fromEntries(HOSTILE.map(id => [id, attributes])))
      await collections.apply(scene.collection, { merge: objects })
      expect(canonical(await collections.get(scene.collection, HOSTILE))).toBe(canonical(objects))
      await collections.apply(scene.collection, { merge: Object.fromEntries([['__proto__', { constructor: null }]]) })
      const [changed] = Object.values(await collections.get(scene.collection, ['__proto__']))
      expect(Object.keys(changed ?? {}).sort()).toEqual(HOSTILE.filter(name => name !== 'constructor').sort())
    })

    fact('answers nothing of a collection that does not exist', async scene => {
      const { collections } = scene.store
      expect(await collections.get(scene.collection, ['a'])).toEqual({})
      expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'never' })
      expect(await collections.list(scene.collection, { limit: 10 })).toEqual({ rows: [], more: false })
      expect(await collections.changes(scene.collection, { limit: 10 })).toBe(undefined)
      expect(await collections.collections({ limit: 10 })).toEqual([])
    })
  })
}
