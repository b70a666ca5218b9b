import type { BlobName } from '../blobs.js'
import type { Cuts } from './arbitraries.js'
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
    expect(await blobs.append(BLOB, { size: 6, offset: 0, bytes: bytes('abc') })).toEqual(begun)
    for (const offset of [0, 2, 4])
      expect(await blobs.append(BLOB, { size: 6, offset, bytes: bytes('x') })).toEqual(begun)
    expect(await blobs.append(BLOB, { size: 7, offset: 3, bytes: bytes('def') })).toEqual(begun)
    expect(await blobs.append(BLOB, { size: 6, offset: 3, bytes: bytes('defg') })).toEqual(begun)
    expect(await blobs.complete(BLOB)).toBe(false)
    expect(await blobs.append(BLOB, { size: 6, offset: 3, bytes: bytes('def') })).toMatchObject({ received: 6 })
    expect(await blobs.complete(BLOB)).toBe(true)
    expect(await blobs.append(BLOB, { size: 6, offset: 6, bytes: bytes('') })).toMatchObject({ complete: true })
    expect(await blobs.find(BLOB)).toEqual({ size: 6, received: 6, complete: true })
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

  fact('go one by one or with their scope, and begin anew', async ({ store: { blobs } }) => {
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
  fact('are listed when nobody touched them for a while', async ({ store: { blobs }, clock }) => {
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

function describeReopened({ fact, expect }: Suite): void {
  fact('are there when the store is opened again', async ({ store, reopen }) => {
    await store.blobs.append(BLOB, { size: 2, offset: 0, bytes: bytes('a') })
    await store.close()
    const reopened = await sure(reopen)()
    await reopened.blobs.append(BLOB, { size: 2, offset: 1, bytes: bytes('b') })
    expect(text(await reopened.blobs.read(BLOB, ALL))).toBe('ab')
    await reopened.close()
  })
}

const expectAnyParts = (suite: Suite, { content, lengths, offset, length }: Cuts): Promise<void> =>
  withScene(suite, async ({ store: { blobs } }) => {
    for (let at = 0; at < content.length; ) {
      const part = content.subarray(at, at + lengths.next().value)
      await blobs.append(BLOB, { size: content.length, offset: at, bytes: part })
      at += part.length
    }
    const expected = content.subarray(offset, offset + length)
    suite.expect([...(await blobs.read(BLOB, { offset, length }))]).toEqual([...expected])
  })
