import { afterEach, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('a pull that is sent before the last page is stored names the token of the page before', async () => {
  const server = new FakeServer()
  server.write('Shop', { a: {}, b: {}, c: {} })
  const { sdk } = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('Shop')])
  sdk.pageSize = 1
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const [first, second, third] = server.queries.map(query => [query.get('token'), query.get('stored_token')])
  expect(first).toEqual([null, null])
  expect(second).toEqual([expect.any(String), ''])
  expect(third).toEqual([expect.any(String), second?.[0]])
  await sdk.sync()
  expect(server.queries.at(-1)?.has('stored_token')).toBe(false)
  await sdk.close()
})
