import { join } from 'node:path'
import { amount, freePort, turn } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { backendOf, type DeviceStep, mortalDevice, mortalServer } from '../harness/mortal.js'
import { endAll } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'
import { Dice } from '../simulator/world/dice.js'

const HISTORIES = amount({ deep: 2, night: 40 })
const ROUNDS = 6
const DEVICES = ['phone', 'tablet'] as const
const SERVER_POINTS = ['accept', 'start', 'settle', 'page', 'replace', 'backend']

afterEach(endAll)

/** The stored notes of one device, which no other device changes. */
class Notes {
  readonly alive = new Set<string>()
  #count = 0

  constructor(readonly device: string) {}

  /** Draws random edits; `stored` applies them to the expected notes once they are known to be stored. */
  edits(dice: Dice): { readonly steps: readonly DeviceStep[]; stored(): void } {
    const steps: DeviceStep[] = []
    const meanings: (() => void)[] = []
    const left = [...this.alive]
    for (let count = dice.between(1, 3); count > 0; count--) {
      const known = dice.chance(0.5) ? left.splice(dice.below(left.length), 1)[0] : undefined
      const fresh = `${this.device} ${++this.#count}`
      if (known === undefined) {
        steps.push({ do: 'create', model: 'Safe', attributes: { note: fresh } })
        meanings.push(() => this.alive.add(fresh))
      } else if (dice.chance(0.7)) {
        steps.push({ do: 'update', model: 'Safe', note: known, to: fresh })
        meanings.push(() => void (this.alive.delete(known) && this.alive.add(fresh)))
      } else {
        steps.push({ do: 'delete', model: 'Safe', note: known })
        meanings.push(() => this.alive.delete(known))
      }
    }
    return { steps, stored: () => meanings.forEach(meaning => void meaning()) }
  }
}

/** Edits and syncs on two devices, while servers and devices are killed. Returns the rows of devices and backend, and the expected notes. */
async function history(seed: number) {
  const dice = new Dice(seed)
  const { path: folder, remove } = temporaryFolder()
  const port = await freePort()
  let server = await mortalServer(folder, port)
  const directory = (name: string): string => join(folder, name)
  const all = DEVICES.map(name => new Notes(name))
  for (const { device } of all) await mortalDevice(directory(device), server.url, [{ do: 'login' }, { do: 'sync' }])
  for (let round = 0; round < ROUNDS; round++) {
    const notes = dice.any(all) as Notes
    const { steps, stored } = notes.edits(dice)
    // Offline writes are stored when the process ends; a device is killed only during syncs.
    expect(await mortalDevice(directory(notes.device), server.url, steps)).toMatchObject({ failures: [] })
    stored()
    if (dice.chance(0.4)) {
      await server.kill()
      server = await mortalServer(folder, port, `${dice.any(SERVER_POINTS)}:${dice.any(['before', 'after'])}`)
    }
    const killAt = dice.chance(0.4) ? `commit:${dice.any(['before', 'after'])}:${dice.between(1, 6)}` : undefined
    await mortalDevice(directory(notes.device), server.url, [{ do: 'sync' }], killAt)
  }
  await server.kill()
  const { url } = await mortalServer(folder, port)
  const rowsOfDevices = []
  for (const { device } of [...all, ...all]) rowsOfDevices.push(await syncUntilDone(directory(device), url))
  const { objects } = backendOf(folder)
  await endAll()
  remove()
  return { stored: rowsOfDevices.slice(DEVICES.length), objects, wanted: all.flatMap(({ alive }) => [...alive]) }
}

async function syncUntilDone(directory: string, url: string) {
  for (let turn = 0; turn < 12; turn++) {
    const run = await mortalDevice(directory, url, [{ do: 'sync' }])
    if (run && !run.unsent && run.failures.length === 0) return run.objects
    await new Promise(resolve => setTimeout(resolve, 700))
  }
  throw new Error('The device does not get done.')
}

test.each(Array.from({ length: HISTORIES }, (_, at) => turn * HISTORIES + at + 1))(
  'history %i over real processes loses and duplicates nothing, and all devices converge',
  async seed => {
    const { stored, objects, wanted } = await history(seed)
    for (const rows of stored) expect(rows).toEqual(objects)
    const notes = Object.values(objects['Safe'] ?? {}).map(({ note }) => note)
    expect(notes.sort()).toEqual(wanted.sort())
  },
  120_000,
)
