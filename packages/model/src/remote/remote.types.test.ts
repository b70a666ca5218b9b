import { expect, test } from '@jest/globals'
import type { BlobRef } from '../definition/attribute-types.js'
import { remoteActions } from './actions.js'
import type { PortLike } from './port.js'
import { type actions, models } from './remote.fixture.js'
import { openRemote } from './remote-link.js'

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const holds = <T extends true>(): T => true as T

async function right(port: MessagePort, worker: Worker, file: File): Promise<void> {
  const ports: readonly PortLike[] = [port, worker]
  const device = openRemote(port, { models, actions: remoteActions<typeof actions>() })
  const { City, Visit } = device.models
  const nested = await Visit.find({ select: ['note', 'photo'], with: { city: { select: ['name'] } } })
  holds<
    Equal<
      (typeof nested)[0],
      {
        readonly id: string
        readonly note: string
        readonly photo: BlobRef | undefined
        readonly city: { readonly id: string; readonly name: string } | undefined
      }
    >
  >()
  const count = await City.count({ conditions: { population: { '>=': 5 } } })
  holds<Equal<typeof count, number>>()
  const live = City.live({ select: ['name'] })
  holds<Equal<ReturnType<typeof live.current>['rows'], readonly { readonly id: string; readonly name: string }[]>>()
  await Visit.create({ photo: file })
  await Visit.update('1', { photo: null })
  const grown = await device.actions.grow('1')
  holds<Equal<typeof grown, number | undefined>>()
  const visit = await device.actions.visitNew('Paris', 'rain')
  holds<Equal<typeof visit.visitedAt, Date | undefined>>()
  const [refusal] = await device.refused('Visit')
  await refusal?.edit({ note: 'other' })
  const { sources } = await device.sync({ models: ['City'] })
  holds<Equal<(typeof sources)[0]['source'], 'City' | 'Visit'>>()
  for await (const event of device.events())
    if (event.kind === 'progress') holds<Equal<typeof event.source, 'City' | 'Visit'>>()
  const first = await device.sql.first<{ n: number }>('SELECT 1 n')
  holds<Equal<typeof first, { n: number } | undefined>>()
  const rows = await device.sql.all<{ n: number }>('SELECT 1 n', [], { timeoutMilliseconds: 50 })
  holds<Equal<typeof rows, readonly { n: number }[]>>()
  void ports
}

async function wrong(port: MessagePort, file: File): Promise<void> {
  const device = openRemote(port, { models, actions: remoteActions<typeof actions>() })
  // @ts-expect-error a promise, not rows
  device.models.City.find()[0]
  // @ts-expect-error required and missing
  await device.models.City.create({})
  // @ts-expect-error no such attribute
  await device.models.City.find({ conditions: { size: 1 } })
  // @ts-expect-error not selected
  await device.models.City.find({ select: ['name'] }).then(rows => rows[0]?.population)
  // @ts-expect-error no file
  await device.models.City.create({ name: file })
  // @ts-expect-error no such action
  await device.actions.none()
  // @ts-expect-error a text is wanted
  await device.actions.grow(5)
  // @ts-expect-error the SDK stays in its thread
  await device.actions.grow({}, '1')
  // @ts-expect-error transactions do not cross threads
  device.transaction(() => {})
  // @ts-expect-error City belongs to no other key
  openRemote(port, { models: { Town: models.City } })
}

test('types of a remote device are inferred, and misuse does not compile', () => {
  expect([right, wrong].length).toBe(2)
})
