import { afterEach, describe, expect, test } from '@jest/globals'
import type { Drive } from '../platform/driver.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

describe.each(DRIVERS)('over %s, values of others that a change of this device replaced', driver => {
  const server = new FakeServer()

  function open(drive: Drive): OpenedDevice & { readonly visits: Records } {
    const device = openOn(drive, server, [definition('Visit')])
    opened.push(device)
    return { ...device, visits: device.device.find('Visit') as Records }
  }

  async function start(id: string) {
    const drive = await driveOn(driver, directories.make())
    const device = open(drive)
    await device.sdk.login('ada', 'ada')
    server.write('Visit', { [id]: { note: 'old', stars: 1 } })
    await device.sdk.sync()
    return { ...device, drive }
  }

  test('are listed with what was written, and stay listed until they are dismissed', async () => {
    const { sdk, visits, drive } = await start('a')
    const heard: unknown[] = []
    const events = sdk.events()
    void (async () => {
      for await (const event of events) if (event.kind === 'overwritten') heard.push(event)
    })()
    server.decide = () => ({ overwrote: { note: 'theirs', city: null } })
    visits.change('a', { note: 'mine', city: 'Oslo' })
    await sdk.sync()
    const listed = {
      id: 1,
      model: 'Visit',
      object: 'a',
      operation: 'update',
      attributes: { note: 'mine', city: 'Oslo' },
      overwrote: { note: 'theirs', city: null },
    }
    expect(sdk.overwritten('Visit')).toMatchObject([listed])
    expect(heard).toEqual([{ kind: 'overwritten', ...listed }])
    expect(sdk.status()).toMatchObject({ overwritten: 1, refused: 0, waiting: 0 })
    await sdk.close()

    const again = open(drive)
    expect(again.sdk.overwritten()).toMatchObject([listed])
    expect(again.sdk.debug().overwritten).toMatchObject([{ attributes: ['note', 'city'], overwrote: ['note', 'city'] }])
    again.sdk.overwritten('Visit')[0]?.dismiss()
    expect([again.sdk.overwritten(), again.sdk.status().overwritten]).toEqual([[], 0])
    expect(again.visits.get('a')?.attributes).toMatchObject({ note: 'mine' })
  })

  test('are written again by restore, which the next sync sends', async () => {
    const { sdk, visits } = await start('b')
    server.decide = ({ attributes }) => (attributes?.['note'] === 'mine' ? { overwrote: { note: 'theirs' } } : {})
    visits.change('b', { note: 'mine' })
    await sdk.sync()
    sdk.overwritten()[0]?.restore()
    expect(visits.get('b')?.attributes).toEqual({ note: 'theirs', stars: 1 })
    expect(sdk.overwritten()).toEqual([])
    await sdk.sync()
    expect(server.collection('Visit').attributesOf('b')).toEqual({ note: 'theirs', stars: 1 })
  })

  test('are of a delete the whole object, which restore creates again', async () => {
    const { sdk, visits } = await start('c')
    server.decide = ({ operation }) => (operation === 'delete' ? { overwrote: { note: 'theirs', stars: null } } : {})
    visits.destroy('c')
    await sdk.sync()
    expect(sdk.overwritten()).toMatchObject([{ operation: 'delete', attributes: {}, overwrote: { note: 'theirs' } }])
    sdk.overwritten()[0]?.restore()
    await sdk.sync()
    expect(server.collection('Visit').attributesOf('c')).toEqual({ note: 'theirs' })
  })

  test('go with the rows of the source', async () => {
    const { sdk, visits } = await start('d')
    server.decide = () => ({ overwrote: { note: 'theirs' } })
    visits.change('d', { note: 'mine' })
    await sdk.sync()
    sdk.databaseFullReset()
    expect(sdk.overwritten()).toEqual([])
  })
})
