import { compareIds } from '../history/index.js'
import { HOSTILE } from './hostile.js'
import { canonical, type Suite } from './suite.js'

export function describeDocuments(suite: Suite): void {
  suite.describe('documents', () => {
    describeContents(suite)
    describeAppend(suite)
    describeNames(suite)
  })
}

function describeContents({ fact, expect }: Suite): void {
  fact('are text or object maps, replaced whole', async ({ store: { documents } }) => {
    expect(await documents.get('scope', 'name')).toBe(undefined)
    await documents.set('scope', 'name', 'text')
    expect(await documents.get('scope', 'name')).toBe('text')
    await documents.set('scope', 'name', { a: { x: 1, y: null }, b: {} })
    expect(await documents.get('scope', 'name')).toEqual({ a: { x: 1 }, b: {} })
    await documents.set('scope', 'name', '')
    expect(await documents.get('scope', 'name')).toBe('')
  })

  fact('keep hostile scopes, names, ids and attributes apart, as plain data', async ({ store: { documents } }) => {
    const content = JSON.parse('{"__proto__":{"constructor":1},"a:*":{"__proto__":{"__proto__":2}}}')
    for (const scope of HOSTILE)
      for (const name of ['__proto__', scope]) await documents.set(scope, name, `${scope}/${name}`)
    await documents.set('constructor', 'map', content)
    expect(canonical(await documents.get('constructor', 'map'))).toBe(canonical(content))
    for (const scope of HOSTILE) expect(await documents.get(scope, '__proto__')).toBe(`${scope}/__proto__`)
  })

  fact('hold well-formed text', async ({ store: { documents } }) => {
    await documents.set('s', 'n\ud800', 'a\ud83d')
    await documents.append('s', 'n\udc00', '\ude00')
    expect(await documents.get('s', 'n\ufffd')).toBe('a\ufffd\ufffd')
  })
}

function describeAppend({ fact, expect }: Suite): void {
  fact('append text to text, and make what is missing', async ({ store: { documents } }) => {
    expect(await documents.append('s', 'text', 'one')).toBe('appended')
    expect(await documents.append('s', 'text', ' two')).toBe('appended')
    expect(await documents.get('s', 'text')).toBe('one two')
  })

  fact('merge object maps attribute by attribute, null removes one', async ({ store: { documents } }) => {
    await documents.append('s', 'map', { a: { x: 1, y: 1 }, b: { x: 1 } })
    await documents.append('s', 'map', { a: { x: 2, y: null }, c: { z: null } })
    expect(await documents.get('s', 'map')).toEqual({ a: { x: 2 }, b: { x: 1 }, c: {} })
  })

  fact('change nothing when the kinds differ', async ({ store: { documents } }) => {
    await documents.set('s', 'text', 'one')
    await documents.set('s', 'map', {})
    expect(await documents.append('s', 'text', { a: {} })).toBe('kind_differs')
    expect(await documents.append('s', 'map', 'one')).toBe('kind_differs')
    expect([await documents.get('s', 'text'), await documents.get('s', 'map')]).toEqual(['one', {}])
  })

  fact('lose nothing when many append at once', async ({ store: { documents } }) => {
    await Promise.all(Array.from({ length: 20 }, () => documents.append('s', 'text', 'x')))
    expect(await documents.get('s', 'text')).toBe('x'.repeat(20))
  })
}

function describeNames({ fact, expect }: Suite): void {
  fact('are listed by name in the order of bytes, page by page', async ({ store: { documents } }) => {
    for (const name of HOSTILE) await documents.set('s', name, name)
    await documents.set('other', 'not here', '')
    const sorted = [...HOSTILE].sort(compareIds)
    expect(await documents.names('s')).toEqual(sorted)
    expect(await documents.names('s', { after: sorted[4], limit: 3 })).toEqual(sorted.slice(5, 8))
    expect(await documents.names('none')).toEqual([])
  })

  fact('go one by one or with their scope', async ({ store: { documents } }) => {
    for (const name of ['a', 'b', 'c']) await documents.set('s', name, '')
    await documents.set('s2', 'a', '')
    expect([await documents.delete('s', 'a'), await documents.delete('s', 'a')]).toEqual([true, false])
    expect(await documents.names('s')).toEqual(['b', 'c'])
    await documents.deleteScope('s')
    expect([await documents.names('s'), await documents.names('s2')]).toEqual([[], ['a']])
  })
}
