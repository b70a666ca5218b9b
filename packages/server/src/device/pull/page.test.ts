import { Checksum, type Outcome, type Page } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

async function world(settings: { readonly pollInterval?: number; query?(): Promise<Record<string, object>> } = {}) {
  let made = 0
  const Visit = defineSource<object>({
    name: 'Visit',
    pollInterval: -1,
    create: () => `real${++made}`,
    ...settings,
  })
  const on = openServer({ sources: [Visit] })
  const { headers } = await on.device('ada')
  const collection = { source: 'Visit', partition: 'user:ada' }
  const ask = (query = '') => on.call('GET', `/app/v1/Visit${query}`, { headers })
  const page = async (query = '') => (await (await ask(query)).json()) as Page
  const push = async (epoch: string, acknowledged: number, numbers: readonly number[]) => {
    const mutations = numbers.map(number => ({
      number,
      key: `a key of sixteen ${number}`,
      operation: 'create',
      object: `temporary${number}`,
      attributes: { n: number },
    }))
    const answer = await on.call('POST', '/app/v1/Visit', { headers, body: { epoch, acknowledged, mutations } })
    return (await answer.json()) as { outcomes: Outcome[] }
  }
  return { on, collection, ask, page, push }
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, { n: at }]))

describe('a page over HTTP', () => {
  test('has up to 500 rows unless p_size says otherwise, and never more than 10,000', async () => {
    const { on, collection, ask, page } = await world()
    await on.store.collections.apply(collection, { replace: many(501) })
    expect(await page()).toMatchObject({ count: 500, more: true, total_count: 501 })
    for (let part = 0; part < 10; part++) {
      const more = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`w${part} ${at}`, {}]))
      await on.store.collections.apply(collection, { replace: more })
    }
    expect(await page('?p_size=10000')).toMatchObject({ count: 10_000, more: true, total_count: 10_501 })
    const refused = await ask('?p_size=10001')
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'body_invalid' }])
  })

  test('has the epoch, and at the end of the pass the checksum', async () => {
    const { on, collection, page } = await world()
    await on.store.collections.apply(collection, { replace: many(3) })
    await on.store.collections.apply(collection, { merge: { v1: { n: 'x' } }, remove: ['v2'] })
    const { epoch } = await on.store.collections.open(collection)
    const first = await page('?p_size=1')
    expect([first.epoch, first.checksum]).toEqual([epoch, undefined])
    const last = await page(`?token=${first.token}`)
    expect(last.checksum).toBe(new Checksum().add('v0', 1).add('v1', 2).toString())
    await on.store.collections.drop(collection)
    expect((await page()).epoch).not.toBe(epoch)
  })

  test('brings outcomes and links until they are acknowledged', async () => {
    const { page, push } = await world()
    const { epoch, token } = await page()
    await push(epoch, 0, [1, 2])
    const told = await page(`?token=${token}`)
    expect(told.outcomes).toMatchObject([
      { outcome: 1, number: 1, status: 'applied', link: 'real1' },
      { outcome: 2, number: 2, status: 'applied', link: 'real2' },
    ])
    expect(told.links).toEqual({ temporary1: 'real1', temporary2: 'real2' })
    const second = await page(`?token=${token}&acknowledged=1`)
    expect([second.outcomes?.map(({ outcome }) => outcome), second.links]).toEqual([[2], { temporary2: 'real2' }])
    const third = await page(`?token=${token}&acknowledged=2`)
    expect(third).not.toHaveProperty('outcomes')
    expect(third).not.toHaveProperty('links')
  })

  test('is refused for an acknowledgement unknown to the journal, as the store lost data', async () => {
    const { on, collection, ask, page, push } = await world()
    const { epoch, token } = await page()
    await push(epoch, 0, [1, 2])
    const refused = await ask(`?token=${token}&acknowledged=3`)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'client_forked' }])
    expect(await page(`?token=${token}&acknowledged=2`)).toMatchObject({ epoch })
    await on.store.collections.drop(collection)
    expect(await page(`?token=${token}&acknowledged=2`)).toMatchObject({ status: 'resync' })
  })

  test('takes no acknowledgement of outcomes of another epoch', async () => {
    const { on, collection, page, push } = await world()
    const { token } = await page()
    await on.store.collections.drop(collection)
    const { epoch } = await page()
    await push(epoch, 0, [1, 2])
    expect((await page(`?token=${token}&acknowledged=1`)).status).toBe('resync')
    expect((await page()).outcomes).toMatchObject([{ outcome: 1 }, { outcome: 2 }])
  })

  test('waits for a due query, later ones too', async () => {
    let queries = 0
    const { page } = await world({
      pollInterval: 0,
      async query() {
        queries++
        await new Promise(resolve => setTimeout(resolve, 20))
        return { [`q${queries}`]: {} }
      },
    })
    const first = await page()
    expect(first.insert).toEqual({ q1: {} })
    expect(await page(`?token=${first.token}`)).toMatchObject({ insert: { q2: {} }, delete: ['q1'] })
  })
})
