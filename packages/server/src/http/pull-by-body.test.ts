import { CLIENT_ID_HEADER } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { afterEach, describe, expect, test } from '@jest/globals'
import { EDGES, type TestServer } from '../testing/open-server.js'

describe.each(EDGES)('a pull by body, %s', (_, open) => {
  let on: TestServer
  afterEach(() => on.server.close())

  test('answers the same pages as one by address, and hands parameters to the source', async () => {
    const asked: unknown[] = []
    const source = defineSource({
      name: 'Shop',
      queryParameters: ['near', '__proto__'],
      query: async ({ parameters }) => {
        asked.push({ ...parameters })
        return { a: { name: 'Bakery' }, b: { name: 'Florist' } }
      },
    })
    on = await open({ sources: [source] })
    const { session, client } = await on.device('ada')
    const headers = { authorization: `Bearer ${session.session}`, [CLIENT_ID_HEADER]: client }
    const post = async (body: string) =>
      (await on.call('POST', '/app/v1/Shop/pull', { headers, body: JSON.parse(body) })).json() as Promise<{
        token: string
        insert: object
        more: boolean
      }>
    const first = await post('{"p_size":1,"parameters":{"near":"par","__proto__":"x","other":"y"}}')
    expect(asked).toEqual([{ near: 'par', ['__proto__']: 'x' }])
    expect(first).toMatchObject({ insert: { a: { name: 'Bakery' } }, more: true })
    const second = await post(JSON.stringify({ p_size: 500, token: first.token }))
    expect(second.insert).toEqual({ b: { name: 'Florist' } })
    const path = `/app/v1/Shop?p_size=500&token=${encodeURIComponent(first.token)}`
    expect(await (await on.call('GET', path, { headers })).json()).toMatchObject({ insert: second.insert })
  })

  test('is refused as one by address is', async () => {
    on = await open()
    const { session, client } = await on.device('ada')
    const headers = { authorization: `Bearer ${session.session}`, [CLIENT_ID_HEADER]: client }
    const status = async (path: string, body: object, given: object = headers) =>
      (await on.call('POST', path, { headers: { ...given }, body })).status
    expect(await status('/app/v1/City/pull', {}, {})).toBe(401)
    expect(await status('/app/v1/City/pull', { p_size: -1 })).toBe(422)
    expect(await status('/app/v1/City/pull', { parameters: { near: 1 } })).toBe(422)
    expect(await status('/app/v1/Nothing/pull', {})).toBe(404)
  })
})
