import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type AttackCallerName, type AttackWorld, JSON_TYPE, overStores } from './world.js'

overStores(openOver => {
  let world: AttackWorld
  beforeAll(async () => {
    world = await openOver()
  })
  afterAll(() => world.close())

  const many = (text: string, times: number): string => text.repeat(times)

  /** Bodies that break parsers, short ones first; the last ones have the maximum size of a login or a push. */
  const TORTURE: readonly (readonly [string, string | Uint8Array])[] = [
    ['nothing', ''],
    ['blanks', many(' ', 1000)],
    ['half a value', '{"login":"a","password":'],
    ['two values', '{}{}'],
    ['a comment', '{/**/}'],
    ['single quotes', "{'login':'a'}"],
    ['a trailing comma', '{"login":"a",}'],
    ['NaN', '{"login":NaN}'],
    ['a byte order mark', '\uFEFF{}'],
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"login":"a"}', 'utf16le')],
    ['an overlong NUL', new Uint8Array([0x22, 0xc0, 0x80, 0x22])],
    ['control characters', '{"login":"a\u0001b"}'],
    ['half a surrogate pair', '{"login":"\\ud800","password":"\\udfff","epoch":"\\ud800","user_id":"\\ud800"}'],
    ['a pair the wrong way round', '{"login":"\\udc00\\ud800","password":"x"}'],
    ['NUL', '{"login":"\\u0000","password":"\\u0000"}'],
    ['members twice', '{"login":"admin","login":"ada","password":"x","password":"secret"}'],
    [
      'prototypes',
      '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},"login":"a","password":"x"}',
    ],
    ['lists for texts', '{"login":["a"],"password":{"length":3}}'],
    ['numbers for texts', '{"login":1e5,"password":true}'],
    ['a number beyond a double', '{"login":"a","password":"x","n":1e400}'],
    ['numbers beyond a double', `{"n":[${many('1e999,', 2000)}1]}`],
    ['very many digits', `{"n":${many('9', 15_000)}}`],
    ['digits behind a point', `{"n":0.${many('0', 15_000)}1e-999}`],
    ['minus signs', many('-', 15_000)],
    ['deep lists', many('[', 15_000)],
    ['deep lists that close', `${many('[', 7000)}${many(']', 7000)}`],
    ['deep objects', `${many('{"a":', 3000)}1${many('}', 3000)}`],
    ['backslashes', `{"login":"${many('\\\\', 7000)}"}`],
    ['quotes', many('"', 15_000)],
    ['escapes', `{"login":"${many('\\u0061', 2500)}","password":"x"}`],
    ['many members', `{${Array.from({ length: 1500 }, (_, n) => `"${n}":1`).join(',')}}`],
    ['one byte too many', many(' ', 16 * 1024 + 1)],
    ['a mebibyte of quotes', many('\\"', 512 * 1024)],
    ['a mebibyte of lists', `[${many('[],', 340_000)}[]]`],
    ['a mebibyte of numbers beyond', `{"a":"1e400 ${many('1e400,', 170_000)}"}`],
  ]

  /** Routes that read bodies of anonymous callers, devices, backends and admins. */
  const DOORS: readonly (readonly [AttackCallerName, string, string])[] = [
    ['nobody', 'POST', '/rc/v1/system/login'],
    ['nobody', 'POST', '/rc/v1/app/login'],
    ['ada', 'POST', '/app/v1/Note'],
    ['ada', 'POST', '/app/v1/Note/objects'],
    ['ada', 'POST', '/rc/v1/app/search'],
    ['plugin', 'POST', '/app/v1/Shared/push_objects'],
    ['operator', 'PUT', '/rc/v1/users/ada'],
    ['admin', 'POST', '/rc/v1/users'],
    ['admin', 'POST', '/rc/v1/users/import'],
  ]

  describe.each(DOORS)('what %s sends by %s %s', (name, method, path) => {
    test.each(TORTURE)('as %s is refused with its reason', async (_, body) => {
      const { headers } = await world.caller(name)
      const answer = await world.ask(path, { method, headers: { ...headers, ...JSON_TYPE }, body: body as string })
      const text = await answer.text()
      expect([answer.status >= 400 && answer.status < 500, text.slice(0, 200)]).toEqual([true, expect.any(String)])
      expect(JSON.parse(text)).toMatchObject({ status: answer.status, code: expect.any(String) })
      // The response contains neither a stack trace nor the sent text.
      expect(text).not.toMatch(/\n\s+at |node:internal/)
      expect(({} as { role?: string }).role).toBeUndefined()
    })

    test('leaves the server working', async () => {
      expect(await world.serves()).toBe(true)
    })
  })

  test.each([
    ['gzip', 'application/json'],
    ['br', 'application/json'],
    [undefined, 'text/plain'],
    [undefined, 'application/json; charset=utf-16'],
    [undefined, 'multipart/form-data; boundary=x'],
    [undefined, 'application/x-www-form-urlencoded'],
  ])('a body of encoding %s and type %s is not unpacked', async (encoding, type) => {
    const headers = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) }
    const answer = await world.ask('/rc/v1/app/login', {
      method: 'POST',
      headers,
      body: '{"login":"a","password":"x"}',
    })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type'])
  })

  test.each([
    '//',
    '/rc/v1/users/%',
    '/rc/v1/users/%ff',
    `/${many('a/', 3000)}`,
    `/rc/v1/stats?${many('a=b&', 1500)}`,
    '/rc/v1/users/%2e%2e',
    '/app/v1/__proto__',
    '/..%2f..%2fetc/passwd',
  ])('a path like %s leads nowhere', async path => {
    const { headers } = await world.caller('admin')
    const answer = await world.call('GET', path, headers)
    await answer.arrayBuffer()
    expect(answer.status >= 400 && answer.status < 500).toBe(true)
  })
})
