import { compareIds } from '../history/index.js'
import { HOSTILE } from './hostile.js'
import { canonical, codeOf, type Suite } from './suite.js'

export function describeRegistry(suite: Suite): void {
  suite.describe('registry', () => {
    describeRecords(suite)
    describeExpiry(suite)
    describeFarEnds(suite)
    describeLists(suite)
  })
}

function describeRecords({ fact, expect }: Suite): void {
  fact('creates a record once', async ({ store: { registry } }) => {
    const ada = { id: 'ada', value: { role: 'device', n: 1, absent: null }, owner: 'x' }
    const both = await Promise.all([registry.create('user', ada), registry.create('user', { id: 'ada', value: {} })])
    expect(both).toEqual([true, false])
    expect(await registry.get('user', 'ada')).toEqual({ id: 'ada', value: { role: 'device', n: 1 }, owner: 'x' })
    expect(await registry.get('client', 'ada')).toBe(undefined)
  })

  fact('merges members in one step, null removes one', async ({ store: { registry } }) => {
    expect(await registry.merge('user', 'ada', { a: 1 })).toBe(undefined)
    await registry.create('user', { id: 'ada', value: { a: 1, b: { deep: null } }, owner: 'x' })
    const merged = await registry.merge('user', 'ada', { a: null, c: [1] })
    expect(merged).toEqual({ id: 'ada', value: { b: { deep: null }, c: [1] }, owner: 'x' })
    await Promise.all(Array.from({ length: 20 }, (_, index) => registry.merge('user', 'ada', { [`n${index}`]: index })))
    expect(Object.keys((await registry.get('user', 'ada'))?.value ?? {}).length).toBe(22)
  })

  fact('deletes one, or all of an owner', async ({ store: { registry } }) => {
    for (const id of ['1', '2', '3'])
      await registry.create('client', { id, value: {}, owner: id === '3' ? 'grace' : 'ada' })
    await registry.create('credential', { id: '1', value: {}, owner: 'ada' })
    expect([await registry.delete('client', '1'), await registry.delete('client', '1')]).toEqual([true, false])
    expect([await registry.deleteOwned('client', 'ada'), await registry.deleteOwned('client', 'ada')]).toEqual([1, 0])
    expect([await registry.count('client'), await registry.count('credential', 'ada')]).toEqual([1, 1])
  })

  fact(
    'knows a record by an id that is no well-formed text as by the one it keeps',
    async ({ store: { registry } }) => {
      await registry.create('user', { id: 'a\ud800', value: { n: 1 } })
      for (const id of ['a\ud800', 'a\ufffd'])
        expect(await registry.get('user', id)).toEqual({ id: 'a\ufffd', value: { n: 1 } })
      await registry.merge('user', 'a\ud800', { n: 2 })
      for (const id of ['a\ud800', 'a\ufffd']) expect((await registry.get('user', id))?.value).toEqual({ n: 2 })
      expect(await registry.delete('user', 'a\ud800')).toBe(true)
      expect(await registry.get('user', 'a\ufffd')).toBe(undefined)
    },
  )

  fact('keeps hostile ids, owners and names as plain data', async ({ store: { registry } }) => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":[1]}')
    for (const id of HOSTILE) expect(await registry.create('user', { id, value, owner: id })).toBe(true)
    for (const id of HOSTILE)
      expect(canonical(await registry.get('user', id))).toBe(canonical({ id, value, owner: id }))
    await registry.merge('user', '__proto__', JSON.parse('{"__proto__":null,"constructor":2}'))
    expect((await registry.get('user', '__proto__'))?.value).toEqual({ constructor: 2 })
    expect(await registry.count('user', '__proto__')).toBe(1)
  })
}

function describeExpiry({ fact, expect }: Suite): void {
  fact('counts an expired record as absent, everywhere', async ({ store: { registry }, clock }) => {
    const session = (n: number) => ({ id: 's', value: { n }, owner: 'ada', expiresAt: clock.now + 10 })
    await registry.create('credential', session(1))
    clock.now += 9
    expect(await registry.get('credential', 's')).toMatchObject({ value: { n: 1 }, expiresAt: clock.now + 1 })
    clock.now += 1
    expect(await registry.get('credential', 's')).toBe(undefined)
    expect(await registry.list('credential', { limit: 9 })).toEqual([])
    expect([await registry.count('credential'), await registry.count('credential', 'ada')]).toEqual([0, 0])
    expect(await registry.merge('credential', 's', { n: 2 }, { expiresAt: clock.now + 10 })).toBe(undefined)
    expect(await registry.delete('credential', 's')).toBe(false)
    expect(await registry.create('credential', session(3))).toBe(true)
    expect(await registry.get('credential', 's')).toMatchObject({ value: { n: 3 } })
  })

  fact('creates a record again where an expired one still lies', async ({ store: { registry }, clock }) => {
    await registry.create('credential', { id: 's', value: { old: true }, owner: 'ada', expiresAt: clock.now + 10 })
    clock.now += 10
    expect(await registry.create('credential', { id: 's', value: { n: 1 } })).toBe(true)
    expect(await registry.get('credential', 's')).toEqual({ id: 's', value: { n: 1 } })
  })

  fact('moves the end of a record with a merge', async ({ store: { registry }, clock }) => {
    await registry.create('credential', { id: 's', value: {}, expiresAt: clock.now + 10 })
    await registry.merge('credential', 's', { n: 1 })
    await registry.merge('credential', 's', {}, { expiresAt: clock.now + 20 })
    clock.now += 15
    expect(await registry.get('credential', 's')).toEqual({ id: 's', value: { n: 1 }, expiresAt: clock.now + 5 })
    clock.now += 5
    expect(await registry.get('credential', 's')).toBe(undefined)
  })
}

function describeFarEnds({ fact, expect }: Suite): void {
  fact('keeps records whose ends are centuries away beside those that expire', async ({ store, clock }) => {
    const { registry } = store
    const far = [9_999_999_999_999, 1e13, 8.64e15]
    for (const [index, expiresAt] of far.entries())
      await registry.create('credential', { id: `${index}`, value: {}, owner: 'ada', expiresAt })
    await registry.create('credential', { id: 'near', value: {}, owner: 'ada', expiresAt: clock.now + 10 })
    clock.now += 10
    expect(await registry.list('credential', { owner: 'ada', limit: 9 })).toEqual(
      far.map((expiresAt, index) => ({ id: `${index}`, value: {}, owner: 'ada', expiresAt })),
    )
    expect(await registry.merge('credential', '1', {}, { expiresAt: clock.now + 10 })).toMatchObject({ id: '1' })
    await registry.merge('credential', '2', {}, { expiresAt: 2e13 })
    clock.now += 10
    expect(await registry.count('credential')).toBe(2)
    expect([await registry.delete('credential', '0'), await registry.deleteOwned('credential', 'ada')]).toEqual([
      true,
      1,
    ])
  })

  fact('refuses an end that is no time', async ({ store: { registry } }) => {
    await registry.create('credential', { id: 's', value: {} })
    for (const expiresAt of [Number.POSITIVE_INFINITY, Number.NaN, 8.64e15 + 1, -1]) {
      expect(await codeOf(registry.create('credential', { id: 'new', value: {}, expiresAt }))).toBe('value_not_allowed')
      expect(await codeOf(registry.merge('credential', 's', { n: 1 }, { expiresAt }))).toBe('value_not_allowed')
    }
    expect(await registry.list('credential', { limit: 9 })).toEqual([{ id: 's', value: {} }])
  })
}

function describeLists({ fact, expect }: Suite): void {
  fact(
    'lists in the order of bytes of the id, page by page, of one owner if asked',
    async ({ store: { registry } }) => {
      for (const [index, id] of HOSTILE.entries())
        await registry.create('client', { id, value: {}, owner: index % 2 === 0 ? 'even' : 'odd' })
      const sorted = [...HOSTILE].sort(compareIds)
      const list = async (page: { owner?: string; after?: string | undefined; limit: number }) =>
        (await registry.list('client', page)).map(({ id }) => id)
      expect(await list({ limit: 100 })).toEqual(sorted)
      expect(await list({ after: sorted[3], limit: 4 })).toEqual(sorted.slice(4, 8))
      const even = sorted.filter(id => HOSTILE.indexOf(id) % 2 === 0)
      expect(await list({ owner: 'even', after: even[0], limit: 2 })).toEqual(even.slice(1, 3))
      expect(await registry.count('client', 'even')).toBe(even.length)
    },
  )

  fact('counts the records of many owners at once, expired ones left out', async ({ store: { registry }, clock }) => {
    const owners = ['ada', '', ...HOSTILE, 'nobody', 'a\ud800', 'ada']
    for (const [place, owner] of [...new Set(owners)].entries()) {
      const many = owner === 'nobody' ? 0 : (place % 3) + 1
      for (let n = 0; n < many; n++) await registry.create('client', { id: `${place} ${n}`, value: {}, owner })
    }
    await registry.create('client', { id: 'of nobody', value: {} })
    await registry.create('credential', { id: 'of another kind', value: {}, owner: 'ada' })
    await registry.create('client', { id: 'old', value: {}, owner: 'ada', expiresAt: clock.now + 10 })
    clock.now += 10
    const counts = await Promise.all(owners.map(owner => registry.count('client', owner)))
    expect(await registry.countEach('client', owners)).toEqual(counts)
    expect(counts.slice(0, 2)).toEqual([1, 2])
    expect(await registry.countEach('client', [])).toEqual([])
  })
}
