import { join } from 'node:path'
import { freePort, partOf } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { backendOf, type DeviceStep, mortalDevice, mortalServer } from '../harness/mortal.js'
import { endAll } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

// A restarted server takes the same port, so that devices reach it again.
const OFFLINE: readonly DeviceStep[] = [
  { do: 'create', model: 'Safe', attributes: { note: 'one', count: 1 } },
  { do: 'create', model: 'Safe', attributes: { note: 'two', count: 2 } },
  { do: 'update', model: 'Safe', note: 'old', to: 'new' },
  { do: 'delete', model: 'Safe', note: 'gone' },
]
const BEFORE: readonly DeviceStep[] = [
  { do: 'login' },
  { do: 'sync' },
  { do: 'create', model: 'Safe', attributes: { note: 'old', count: 0 } },
  { do: 'create', model: 'Safe', attributes: { note: 'gone', count: 0 } },
  { do: 'sync' },
]
const SYNC: readonly DeviceStep[] = [{ do: 'sync' }]

afterEach(endAll)

/** Sets up a device that has synced and then made changes offline. */
async function world() {
  const folder = temporaryFolder()
  const port = await freePort()
  const device = join(folder.path, 'device')
  const first = await mortalServer(folder.path, port)
  expect(await mortalDevice(device, first.url, BEFORE)).toMatchObject({ failures: [], unsent: false })
  return { folder, port, device, first }
}

/** Syncs until nothing is undecided, and expects the same rows on the device, a second device and the backend. */
async function expectEqual(folder: string, device: string, url: string): Promise<void> {
  let blocked = await mortalDevice(device, url, SYNC)
  for (let turn = 0; turn < 90 && (blocked?.unsent === true || (blocked?.failures.length ?? 1) > 0); turn++) {
    await new Promise(resolve => setTimeout(resolve, 700))
    blocked = await mortalDevice(device, url, SYNC)
  }
  expect(blocked).toMatchObject({ unsent: false, failures: [] })
  const second = await mortalDevice(join(folder, 'second'), url, [{ do: 'login' }, ...SYNC])
  const backend = backendOf(folder)
  expect(blocked?.objects).toEqual(backend.objects)
  expect(second?.objects).toEqual(backend.objects)
  const notes = Object.values(backend.objects['Safe'] ?? {}).map(({ note }) => note)
  expect(notes.sort()).toEqual(['new', 'one', 'two'])
}

describe('a server that is killed', () => {
  const points = ['accept', 'start', 'settle', 'page', 'replace', 'acknowledge', 'backend'].flatMap(name =>
    ['before', 'after'].map(edge => `${name}:${edge}`),
  )

  test.each(partOf(points, 3))('at %s loses and repeats nothing', async killAt => {
    const { folder, port, device, first } = await world()
    await mortalDevice(device, first.url, OFFLINE)
    await first.kill()
    const second = await mortalServer(folder.path, port, killAt)
    await mortalDevice(device, second.url, SYNC)
    expect(await second.exit).toMatchObject({ signal: 'SIGKILL' })
    const third = await mortalServer(folder.path, port)
    await expectEqual(folder.path, device, third.url)
    await endAll()
    folder.remove()
  })
})

describe('a device that is killed', () => {
  test.each(partOf(['before', 'after'], 2))(
    '%s any commit of a sync loses and repeats nothing',
    async edge => {
      for (let turn = 1; ; turn++) {
        const { folder, device, first } = await world()
        await mortalDevice(device, first.url, OFFLINE)
        const blocked = await mortalDevice(device, first.url, SYNC, `commit:${edge}:${turn}`)
        await expectEqual(folder.path, device, first.url)
        await endAll()
        folder.remove()
        if (blocked !== undefined) {
          expect(turn).toBeGreaterThan(3)
          return
        }
      }
    },
    240_000,
  )

  test('keeps all of a local write or nothing before its commit, and all of it after', async () => {
    const { folder, device, first } = await world()
    const create: readonly DeviceStep[] = [{ do: 'create', model: 'Safe', attributes: { note: 'one', count: 1 } }]
    for (let turn = 1; (await mortalDevice(device, first.url, create, `commit:before:${turn}`)) === undefined; turn++);
    const blocked = await mortalDevice(device, first.url, [])
    expect(Object.values(blocked?.objects['Safe'] ?? {}).filter(({ note }) => note === 'one')).toHaveLength(1)
    folder.remove()
  })
})

test('a backend that is not idempotent is called at most once, whichever process is killed', async () => {
  const { folder, port, device, first } = await world()
  await mortalDevice(device, first.url, [{ do: 'create', model: 'Unsafe', attributes: { note: 'once' } }])
  await first.kill()
  const second = await mortalServer(folder.path, port, 'backend:after')
  await mortalDevice(device, second.url, SYNC)
  expect(await second.exit).toMatchObject({ signal: 'SIGKILL' })
  const third = await mortalServer(folder.path, port)
  for (let turn = 0; turn < 3; turn++) await mortalDevice(device, third.url, SYNC)
  const { objects, times } = backendOf(folder.path)
  expect(times('Unsafe')).toEqual([1])
  expect(Object.values(objects['Unsafe'] ?? {})).toEqual([{ note: 'once' }])
  folder.remove()
})
