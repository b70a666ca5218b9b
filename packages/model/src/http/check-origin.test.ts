import { afterEach, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

/** As fetch answers that has followed a redirect and took no session along. */
const followed = (url: string): Response =>
  Object.defineProperties(Response.json({ code: 'session_missing' }, { status: 401 }), {
    redirected: { value: true },
    url: { value: url },
  })

test.each([
  ['not followed', () => Response.redirect('https://moved.test/app/v1/Visit?token=secret', 308)],
  ['followed', () => followed('https://moved.test/app/v1/Visit?token=secret')],
])('a redirect to another server that answers %s ends no session', async (_, answer) => {
  const server = new FakeServer()
  const { sdk } = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('Visit')])
  await sdk.login('ada', 'ada')
  await sdk.sync()
  server.before = answer
  await expect(sdk.sync()).rejects.toMatchObject({
    code: 'offline',
    message: expect.stringMatching(
      /redirects to https:\/\/moved\.test\/app\/v1\/Visit, .*open the device with its new/,
    ),
  })
  expect(sdk.isLoggedIn()).toBe(true)
  await expect(sdk.login('ada', 'ada')).rejects.toMatchObject({ code: 'offline' })
  server.before = () => undefined
  expect((await sdk.sync()).sources).toEqual([{ source: 'Visit', received: 0, sent: 0 }])
  await sdk.close()
})

test('a redirect within the server keeps the answer that no user is logged in', async () => {
  const server = new FakeServer()
  const { sdk } = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('Visit')])
  await sdk.login('ada', 'ada')
  server.before = () => followed('http://sync.test/elsewhere')
  await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
  await sdk.close()
})
