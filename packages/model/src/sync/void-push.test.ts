import { afterEach, expect, test } from '@jest/globals'
import type { OpenModel } from '../database/open-models.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('an answer to a push that was void before it came settles nothing; the next page does', async () => {
  const server = new FakeServer()
  const { sdk, parts, device } = openOn(await driveOn('better-sqlite3', directories.make()), server, [
    definition('Visit'),
  ])
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const model = parts.registry.get('Visit') as OpenModel
  const records = device.find('Visit') as Records
  // Pages are trusted with outcomes once the server has answered a push.
  records.insert({ note: 'earlier' }, 'u')
  await sdk.sync()
  records.insert({ note: 'mine' }, 'v')
  const states: string[] = []
  const recordState = (): void =>
    void states.push(
      model.scope.outbox
        .ofModel('Visit')
        .map(entry => entry.state)
        .join(),
    )
  server.after = request => {
    if (request === 'POST /app/v1/Visit') model.scope.sources.voidToken(model.name)
  }
  server.before = request => {
    if (request === 'GET /app/v1/Visit') recordState()
    return undefined
  }
  await sdk.sync()
  recordState()
  expect(states).toEqual(['taken', ''])
  expect(server.live('Visit')).toEqual({ u: { note: 'earlier' }, v: { note: 'mine' } })
  await sdk.close()
})
