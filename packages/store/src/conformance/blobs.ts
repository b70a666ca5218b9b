import type { BlobName } from '../blobs.js'
import type { Store } from '../store.js'
import { writeBlob } from '../write-blob.js'
import type { PartCuts } from './arbitraries.js'
import { HOSTILE } from './hostile.js'
import { property } from './property.js'
import { type Suite, sure, withScene } from './suite.js'

const BLOB: BlobName = { scope: 'scope', name: 'name' }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (given: Uint8Array): string => new TextDecoder().decode(given)
const ALL = { offset: 0, length: 1_000_000 }

export function describeBlobs(suite: Suite): void {
  suite.describe('blobs', () => {
    describeParts(suite)
    describeNames(suite)
    describeUse(suite)
    describeInstances(suite)
    describeHolds(suite)
    describeCharges(suite)
    describeKept(suite)
    if (suite.durable) describeReopened(suite)
    property(suite, 'give back in any part what was added in any parts', async () => [
      (await import('./arbitraries.js')).cuts,
      cuts => expectAnyParts(suite, cuts),
    ])
  })
}

function describeParts({ fact, expect }: Suite): void {
  fact('grow part by part, and only where they end', async ({ store: { blobs } }) => {
    expect(await blobs.find(BLOB)).toBe(undefined)
    expect(await blobs.append(BLOB, { size: 6, offset: 3, bytes: bytes('def') })).toBe(undefined)
    expect(await blobs.append(BLOB, { size: 2, offset: 0, bytes: bytes('abc') })).toBe(undefined)
    expect(await blobs.find(BLOB)).toBe(undefined)
    const begun = { size: 6, received: 3, complete: false }
    expect(await blobs.append(BLOB, { size: 6, offset: 0, bytes: bytes('abc') })).toMatchObject(begun)
    for (const offset of [0, 2, 4])
      expect(await blobs.append(BLOB, { size: 6, offset, bytes: bytes('x') })).toMatchObject(begun)
    expect(await blobs.append(BLOB, { size: 7, offset: 3, bytes: bytes('def') })).toMatchObject(begun)
    expect(await blobs.append(BLOB, { size: 6, offset: 3, bytes: bytes('defg') })).toMatchObject(begun)
    expect(await blobs.complete(BLOB)).toBe(false)
    expect(await blobs.append(BLOB, { size: 6, offset: 3, bytes: bytes('def') })).toMatchObject({ received: 6 })
    expect(await blobs.complete(BLOB)).toBe(true)
    expect(await blobs.append(BLOB, { size: 6, offset: 6, bytes: bytes('') })).toMatchObject({ complete: true })
    expect(await blobs.find(BLOB)).toMatchObject({ size: 6, received: 6, complete: true })
    expect(text(await blobs.read(BLOB, ALL))).toBe('abcdef')
  })

  fact('are read in any part; beyond the end there is nothing', async ({ store: { blobs } }) => {
    for (const [offset, part] of [
      [0, 'abc'],
      [3, 'de'],
      [5, 'f'],
    ] as const)
      await blobs.append(BLOB, { size: 6, offset, bytes: bytes(part) })
    const read = async (offset: number, length: number) => text(await blobs.read(BLOB, { offset, length }))
    expect(await Promise.all([read(0, 2), read(2, 3), read(4, 9), read(6, 1), read(9, 1)])).toEqual([
      'ab',
      'cde',
      'ef',
      '',
      '',
    ])
    expect(text(await blobs.read({ ...BLOB, name: 'other' }, ALL))).toBe('')
  })

  fact('may be empty', async ({ store: { blobs } }) => {
    expect(await blobs.complete(BLOB)).toBe(false)
    await blobs.append(BLOB, { size: 0, offset: 0, bytes: bytes('') })
    expect(await blobs.complete(BLOB)).toBe(true)
  })

  fact('take one of two equal parts that come at once', async ({ store: { blobs } }) => {
    const part = { size: 2, offset: 0, bytes: bytes('a') }
    const facts = await Promise.all([blobs.append(BLOB, part), blobs.append(BLOB, part)])
    expect(facts.map(one => one?.received)).toEqual([1, 1])
    expect(text(await blobs.read(BLOB, ALL))).toBe('a')
  })
}

function describeNames({ fact, expect }: Suite): void {
  fact('keep hostile scopes and names apart', async ({ store: { blobs } }) => {
    const all = HOSTILE.flatMap(scope => ['__proto__', scope].map(name => ({ scope, name })))
    for (const blob of all) {
      const content = bytes(JSON.stringify(blob))
      await blobs.append(blob, { size: content.length, offset: 0, bytes: content })
    }
    for (const blob of all) expect(text(await blobs.read(blob, ALL))).toBe(JSON.stringify(blob))
  })

  fact('go one by one or with their scope, and begin again', async ({ store: { blobs } }) => {
    const part = { size: 1, offset: 0, bytes: bytes('x') }
    for (const scope of ['one', 'two']) for (const name of ['a', 'b']) await blobs.append({ scope, name }, part)
    const [oneA, oneB, twoA] = [
      { scope: 'one', name: 'a' },
      { scope: 'one', name: 'b' },
      { scope: 'two', name: 'a' },
    ]
    expect([await blobs.remove(oneA), await blobs.remove(oneA)]).toEqual([true, false])
    expect([await blobs.find(oneA), (await blobs.find(oneB))?.received]).toEqual([undefined, 1])
    await blobs.removeScope('one')
    expect([await blobs.find(oneB), (await blobs.find(twoA))?.received]).toEqual([undefined, 1])
    expect(text(await blobs.read(oneA, ALL))).toBe('')
    expect(await blobs.append(oneA, { ...part, bytes: bytes('y') })).toMatchObject({ received: 1 })
    expect(text(await blobs.read(oneA, ALL))).toBe('y')
  })

  fact('go when the store is cleared', async ({ store }) => {
    await store.blobs.append(BLOB, { size: 1, offset: 0, bytes: bytes('x') })
    await store.clear()
    expect(await store.blobs.find(BLOB)).toBe(undefined)
  })
}

function describeUse({ fact, expect }: Suite): void {
  fact('are listed when no call touched them for a while', async ({ store: { blobs }, clock }) => {
    const part = { size: 2, offset: 0, bytes: bytes('x') }
    const named = (name: string) => ({ scope: 's', name })
    for (const name of ['c', 'a', 'b']) await blobs.append(named(name), part)
    const begun = clock.now
    clock.now += 10
    expect([await blobs.touch(named('b')), await blobs.touch(named('none'))]).toEqual([true, false])
    expect(await blobs.untouched({ since: begun, limit: 9 })).toEqual([named('a'), named('c')])
    expect(await blobs.untouched({ since: begun, after: named('a'), limit: 9 })).toEqual([named('c')])
    expect(await blobs.untouched({ since: begun, limit: 1 })).toEqual([named('a')])
    await blobs.append(named('c'), { ...part, offset: 1 })
    expect(await blobs.untouched({ since: begun, limit: 9 })).toEqual([named('a')])
    const removed = ['a', 'b', 'none'].map(name => blobs.remove(named(name), { untouchedSince: begun }))
    expect(await Promise.all(removed)).toEqual([true, false, false])
  })
}

function describeInstances({ fact, expect }: Suite): void {
  const part = { size: 1, offset: 0, bytes: bytes('x') }

  fact('keep their instance until they are removed', async ({ store: { blobs } }) => {
    const begun = await blobs.append(BLOB, { ...part, size: 2 })
    const grown = await blobs.append(BLOB, { ...part, size: 2, offset: 1 })
    await blobs.complete(BLOB)
    expect([grown?.instance, (await blobs.find(BLOB))?.instance]).toEqual([begun?.instance, begun?.instance])
    await blobs.remove(BLOB)
    expect((await blobs.append(BLOB, part))?.instance === begun?.instance).toBe(false)
  })

  fact('are completed and removed by their instance', async ({ store: { blobs } }) => {
    const old = (await blobs.append(BLOB, part))?.instance
    await blobs.remove(BLOB)
    const instance = (await blobs.append(BLOB, part))?.instance
    expect([await blobs.complete(BLOB, old), await blobs.remove(BLOB, { instance: old })]).toEqual([false, false])
    expect(await blobs.complete(BLOB, instance)).toBe(true)
    expect(await blobs.find(BLOB)).toMatchObject({ complete: true, instance })
    expect([await blobs.remove(BLOB, { instance }), await blobs.find(BLOB)]).toEqual([true, undefined])
  })
}

function describeHolds({ fact, expect }: Suite): void {
  const keep = async ({ blobs }: Store, blob = BLOB) => {
    await blobs.append(blob, { size: 1, offset: 0, bytes: bytes('x') })
    await blobs.complete(blob)
  }
  const holdersOf = async ({ blobs }: Store, blob = BLOB) =>
    (await blobs.holders(blob)).map(({ holder }) => holder).sort()

  fact('are held only while they are complete', async ({ store }) => {
    expect(await store.blobs.hold(BLOB, 'one')).toBe(false)
    await store.blobs.append(BLOB, { size: 2, offset: 0, bytes: bytes('x') })
    expect([await store.blobs.hold(BLOB, 'one'), await holdersOf(store)]).toEqual([false, []])
    await store.blobs.append(BLOB, { size: 2, offset: 1, bytes: bytes('x') })
    await store.blobs.complete(BLOB)
    expect([await store.blobs.hold(BLOB, 'one'), await holdersOf(store)]).toEqual([true, ['one']])
  })

  fact('stay as long as someone holds them', async ({ store, clock }) => {
    const { blobs } = store
    await keep(store)
    const all = ['one', 'two', ...HOSTILE]
    for (const holder of all) await blobs.hold(BLOB, holder)
    await blobs.hold(BLOB, 'two')
    clock.now += 10
    const since = clock.now
    expect(await holdersOf(store)).toEqual([...new Set(all.map(holder => holder.toWellFormed()))].sort())
    expect(await blobs.remove(BLOB, { untouchedSince: since })).toBe(false)
    for (const holder of all) if (holder !== 'two') await blobs.release(BLOB, holder)
    expect([await holdersOf(store), await blobs.remove(BLOB, { untouchedSince: since })]).toEqual([['two'], false])
    await blobs.release(BLOB, 'two')
    clock.now += 10
    expect(await blobs.remove(BLOB, { untouchedSince: clock.now })).toBe(true)
  })

  fact('count as touched when a hold begins and when it ends', async ({ store, clock }) => {
    const { blobs } = store
    await keep(store)
    const made = clock.now
    clock.now += 10
    await blobs.hold(BLOB, 'one')
    expect([await blobs.holders(BLOB), await blobs.untouched({ since: made, limit: 9 })]).toEqual([
      [{ holder: 'one', at: clock.now }],
      [],
    ])
    const held = clock.now
    clock.now += 10
    await blobs.release(BLOB, 'none')
    expect(await blobs.untouched({ since: held, limit: 9 })).toEqual([BLOB])
    await blobs.release(BLOB, 'one')
    expect([
      await blobs.untouched({ since: held, limit: 9 }),
      await blobs.remove(BLOB, { untouchedSince: held }),
    ]).toEqual([[], false])
  })

  fact('go with their holds', async ({ store }) => {
    const other = { scope: 'other', name: 'name' }
    for (const blob of [BLOB, other]) {
      await keep(store, blob)
      await store.blobs.hold(blob, 'one')
    }
    expect([await store.blobs.remove(BLOB), await holdersOf(store)]).toEqual([true, []])
    await store.blobs.removeScope('other')
    for (const blob of [BLOB, other]) await keep(store, blob)
    expect([await holdersOf(store), await holdersOf(store, other)]).toEqual([[], []])
  })
}

function describeCharges({ fact, expect }: Suite): void {
  const charge = { account: 'ada', bytes: 10, limit: 25 }
  const part = { size: 2, offset: 0, bytes: bytes('x') }
  const named = (name: string, scope = 's') => ({ scope, name })

  fact('are charged to an account when they begin, as far as its limit allows', async ({ store: { blobs } }) => {
    expect(await blobs.charged('ada')).toBe(0)
    for (const name of ['a', 'b']) expect(await blobs.append(named(name), part, charge)).toMatchObject({ received: 1 })
    expect(await blobs.append(named('c'), part, charge)).toBe(undefined)
    expect([await blobs.find(named('c')), await blobs.charged('ada')]).toEqual([undefined, 20])
    // Blobs already created continue, and other accounts have separate limits.
    expect(await blobs.append(named('a'), { ...part, offset: 1 }, charge)).toMatchObject({ received: 2 })
    expect(await blobs.append(named('a'), part, charge)).toMatchObject({ received: 2 })
    expect(await blobs.append(named('c'), part, { ...charge, account: 'grace' })).toMatchObject({ received: 1 })
    expect(await blobs.append(named('d'), part)).toMatchObject({ received: 1 })
    expect([await blobs.charged('ada'), await blobs.charged('grace')]).toEqual([20, 10])
  })

  fact('fit alone, however little the limit allows', async ({ store: { blobs } }) => {
    expect(await blobs.append(named('a'), part, { ...charge, limit: 1 })).toMatchObject({ received: 1 })
    expect(await blobs.append(named('b'), part, { ...charge, limit: 1 })).toBe(undefined)
  })

  fact('are charged to no account that has no room when many begin at the same time', async ({ store: { blobs } }) => {
    const names = Array.from({ length: 8 }, (_, n) => named(`${n}`))
    const facts = await Promise.all(names.map(blob => blobs.append(blob, part, charge)))
    expect(facts.filter(one => one !== undefined).length).toBe(2)
    expect(await blobs.charged('ada')).toBe(20)
    await Promise.all(
      Array.from({ length: 4 }, () => blobs.append(named('one'), part, { ...charge, account: 'grace' })),
    )
    expect(await blobs.charged('grace')).toBe(10)
  })

  fact('are charged to another account, or to none', async ({ store: { blobs } }) => {
    for (const name of ['a', 'b']) await blobs.append(named(name), part, charge)
    expect(await blobs.charge(named('a'), undefined)).toBe(true)
    expect(await blobs.charge(named('b'), { account: 'grace', bytes: 7 })).toBe(true)
    expect([await blobs.charged('ada'), await blobs.charged('grace')]).toEqual([0, 7])
    for (let times = 0; times < 2; times++) await blobs.charge(named('a'), { account: 'ada', bytes: 30 })
    expect(await blobs.charge(named('none'), { account: 'ada', bytes: 30 })).toBe(false)
    expect(await blobs.charged('ada')).toBe(30)
    expect(await blobs.append(named('c'), part, charge)).toBe(undefined)
  })

  fact('are charged no more once they are gone', async ({ store }) => {
    const { blobs } = store
    for (const name of ['a', 'b']) await blobs.append(named(name, name), part, charge)
    await blobs.remove(named('a', 'a'))
    expect(await blobs.charged('ada')).toBe(10)
    await blobs.removeScope('b')
    expect(await blobs.charged('ada')).toBe(0)
    await blobs.append(named('a'), part, charge)
    await store.clear()
    expect(await blobs.charged('ada')).toBe(0)
    for (const name of ['a', 'b']) expect(await blobs.append(named(name), part, charge)).toMatchObject({ received: 1 })
  })

  fact('are charged to hostile accounts apart', async ({ store: { blobs } }) => {
    const accounts = [...new Set(HOSTILE.map(account => account.toWellFormed()))]
    for (const [n, account] of accounts.entries())
      await blobs.append(named(`${n}`), part, { account, bytes: n + 1, limit: 1 })
    for (const [n, account] of accounts.entries()) expect(await blobs.charged(account)).toBe(n + 1)
  })
}

function describeKept({ fact, expect }: Suite): void {
  const content = bytes('the content of a photo')
  const blob = { scope: 'kept', name: '5a56382c4940449515950f350b598b324bff0c529b095574d6c4287253253f9e' }
  const read = (offset: number) => [content.subarray(offset, offset + 7), content.subarray(offset + 7)]
  const given = { blob, size: content.length, read }

  fact('are kept under their SHA-256 by many at the same time', async ({ store: { blobs } }) => {
    await Promise.all(Array.from({ length: 8 }, () => writeBlob(blobs, given)))
    expect(await blobs.find(blob)).toMatchObject({ complete: true, size: content.length })
    expect(text(await blobs.read(blob, ALL))).toBe('the content of a photo')
    const { instance } = sure(await blobs.find(blob))
    await writeBlob(blobs, given)
    expect((await blobs.find(blob))?.instance).toBe(instance)
  })

  fact('are kept whole over what another writer began', async ({ store: { blobs } }) => {
    await blobs.append(blob, { size: content.length, offset: 0, bytes: bytes('the content') })
    await writeBlob(blobs, given)
    expect(text(await blobs.read(blob, ALL))).toBe('the content of a photo')
    for (const size of [content.length, 5]) {
      await blobs.remove(blob)
      await blobs.append(blob, { size, offset: 0, bytes: bytes('wrong') })
      await Promise.all([writeBlob(blobs, given), writeBlob(blobs, given)])
      expect(text(await blobs.read(blob, ALL))).toBe('the content of a photo')
    }
  })

  fact('may be kept empty', async ({ store: { blobs } }) => {
    const empty = { scope: 'kept', name: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }
    const nothing = { blob: empty, size: 0, read: () => [] }
    await Promise.all([writeBlob(blobs, nothing), writeBlob(blobs, nothing)])
    expect(await blobs.find(empty)).toMatchObject({ complete: true, size: 0 })
  })
}

function describeReopened({ fact, expect }: Suite): void {
  fact('are there when the store is opened again', async ({ store, reopen }) => {
    const held = { scope: 'scope', name: 'held' }
    await store.blobs.append(held, { size: 0, offset: 0, bytes: bytes('') })
    await store.blobs.complete(held)
    await store.blobs.hold(held, 'one')
    await store.blobs.append(BLOB, { size: 2, offset: 0, bytes: bytes('a') }, { account: 'ada', bytes: 9, limit: 9 })
    await store.close()
    const reopened = await sure(reopen)()
    await reopened.blobs.append(BLOB, { size: 2, offset: 1, bytes: bytes('b') })
    expect(text(await reopened.blobs.read(BLOB, ALL))).toBe('ab')
    expect(await reopened.blobs.holders(held)).toMatchObject([{ holder: 'one' }])
    expect(await reopened.blobs.charged('ada')).toBe(9)
    await reopened.close()
  })
}

const expectAnyParts = (suite: Suite, { content, lengths, offset, length }: PartCuts): Promise<void> =>
  withScene(suite, async ({ store: { blobs } }) => {
    for (let at = 0; at < content.length; ) {
      const part = content.subarray(at, at + lengths.next().value)
      await blobs.append(BLOB, { size: content.length, offset: at, bytes: part })
      at += part.length
    }
    const expected = content.subarray(offset, offset + length)
    suite.expect([...(await blobs.read(BLOB, { offset, length }))]).toEqual([...expected])
  })
