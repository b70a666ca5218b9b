import { describe, expect, test } from '@jest/globals'
import { AdminClient } from './index.js'

/** A server that counts: every request creates a version and changes all of its objects. */
function counting() {
  const asked: [path: string, body: Record<string, unknown>][] = []
  const fetch = async (address: string, { body }: RequestInit) => {
    const sent = JSON.parse(String(body)) as Record<string, unknown>
    asked.push([address.replace('http://sync.example', ''), sent])
    const changed = Object.keys((sent['objects'] ?? sent['data']) as object).length
    return Response.json({ version: asked.length, changed, count: 100 + asked.length })
  }
  return { asked, push: new AdminClient({ url: 'http://sync.example', token: 'secret', fetch }).push }
}

const three = [['a', { n: 1 }] as const, ['b', { n: 2 }] as const, ['c', { n: 3 }] as const]

describe('a push', () => {
  test('is split into several requests, reports progress, and has one answer', async () => {
    const { push, asked } = counting()
    const progress: number[] = []
    const written = await push.objects('Product', 'ada', three, {
      batch: { count: 2 },
      onProgress: sent => progress.push(sent),
      rebuildMd: false,
    })
    expect(written).toEqual({ version: 2, changed: 3, count: 102 })
    expect(progress).toEqual([2, 3])
    expect(asked).toEqual([
      ['/app/v1/Product/push_objects', { user_id: 'ada', objects: { a: { n: 1 }, b: { n: 2 } }, rebuild_md: false }],
      ['/app/v1/Product/push_objects', { user_id: 'ada', objects: { c: { n: 3 } }, rebuild_md: false }],
    ])
  })

  test('of each kind uses its route and body', async () => {
    const { push, asked } = counting()
    await push.deletes('Product', '*', new Set(['a', 'b']))
    await push.fastInsert('Product', '*', { a: { n: 1 } })
    await push.fastUpdate('Product', '*', { delete_data: { a: { n: 1 } }, data: { a: { n: 2 } } })
    await push.fastDelete('Product', '*', { a: { n: 2 } })
    expect(asked).toEqual([
      ['/app/v1/Product/push_deletes', { user_id: '*', objects: ['a', 'b'] }],
      ['/app/v1/Product/fast_insert', { user_id: '*', objects: { a: { n: 1 } } }],
      ['/app/v1/Product/fast_update', { user_id: '*', delete_data: { a: { n: 1 } }, data: { a: { n: 2 } } }],
      ['/app/v1/Product/fast_delete', { user_id: '*', data: { a: { n: 2 } } }],
    ])
  })

  test('that is aborted sends nothing more, and closes its input', async () => {
    const { push, asked } = counting()
    const stop = new AbortController()
    let closed = false
    async function* endless() {
      try {
        for (let i = 0; ; i++) yield [`${i}`, { n: i }] as const
      } finally {
        closed = true
      }
    }
    const pushing = push.objects('Product', 'ada', endless(), {
      batch: { count: 5 },
      onProgress: sent => sent === 10 && stop.abort(),
      signal: stop.signal,
    })
    await expect(pushing).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toHaveLength(2)
    expect(closed).toBe(true)
  })
})
