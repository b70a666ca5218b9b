import { setTimeout as after } from 'node:timers/promises'
import { type Comparison, SoakDevice } from './device.js'
import { Latencies } from './latencies.js'

export interface CrowdOptions {
  readonly url: string
  readonly devices: number
  /** Milliseconds. */
  readonly duration: number
  /** Devices that do something at the same time. */
  readonly busy: number
  /** The longest pause of a lane between two actions, in milliseconds. */
  readonly pause: number
  readonly random: () => number
  /** An API token by which devices and users are removed. */
  readonly admin: string
  /** Runs when all actions are done, before the devices are compared. */
  readonly inspect: (devices: readonly SoakDevice[], removals: number) => Promise<void>
}

/** What became of a crowd. */
export interface CrowdReport {
  readonly actions: number
  /** Devices and users that were replaced by new ones. */
  readonly replaced: number
  /** What failed, at most twenty. */
  readonly failures: readonly string[]
  /** Devices whose confirmed tasks are not what the server has. */
  readonly lost: readonly string[]
  /** How many tasks were compared. */
  readonly compared: number
  readonly latencies: ReturnType<Latencies['report']>
}

/** One of this number of devices opens event streams, so that the number of streams is soon constant. */
const LISTENING = 10

/** Actions after which a device is replaced by a new one, on average, and after which its user is: what the server has of each is soon constant, and of those who left nothing. */
export const ACTIONS_OF_A_LIFE = 25

/** Many devices, a few of them busy at a time: they sync, edit, search, listen, log out and come back, until others take their place. In the end each compares what was confirmed to it with what the server has. */
export async function runCrowd(options: CrowdOptions): Promise<CrowdReport> {
  const { url, devices: count, duration, busy, pause, random, admin, inspect } = options
  const latencies = new Latencies()
  const failures: string[] = []
  const devices = Array.from({ length: count }, (_, n) => new SoakDevice(url, `soak-${n}`, latencies))
  const listeners = new Set(devices.slice(0, Math.ceil(count / LISTENING)))
  const until = performance.now() + duration
  const lost: string[] = []
  let actions = 0
  let replaced = 0
  let compared = 0
  const note = (comparison: Comparison | undefined): void => {
    compared += comparison?.compared ?? 0
    if (comparison?.lost !== undefined && lost.length < 20) lost.push(comparison.lost)
  }
  const live = async (device: SoakDevice): Promise<void> => {
    if (!device.isLoggedIn) await device.logIn()
    const dice = random() * ACTIONS_OF_A_LIFE
    if (dice >= 2) return act(device, random, listeners.has(device))
    note(await (dice < 1 ? device.replaceClient(admin) : device.replaceUser(admin)))
    replaced++
  }
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    actions++
    await work().catch(error => {
      if (failures.length < 20) failures.push(String(error))
    })
  }
  /** Devices that are not in use: one lane uses a device at a time. */
  const free = [...devices]
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const [device] = free.splice(Math.floor(random() * free.length), 1)
      if (device === undefined) throw new Error('expected more devices than are busy at a time')
      await attempt(() => live(device))
      free.push(device)
      await after(random() * pause)
    }
  }
  await Promise.all(Array.from({ length: busy }, worker))
  for (const device of devices) device.hangUp()
  await inspect(devices, replaced)
  await compareAll(devices, { busy, note })
  return { actions, replaced, failures, lost, compared, latencies: latencies.report() }
}

async function act(device: SoakDevice, random: () => number, mayListen: boolean): Promise<void> {
  const dice = random()
  if (dice < 0.35) await device.sync()
  else if (dice < 0.75) await device.edit(random)
  else if (dice < 0.8) await device.edit(random, true)
  else if (dice < 0.84) await device.search()
  else if (dice < 0.86) await device.bulk()
  else if (dice < 0.92) await (mayListen ? device.listen() : device.sync())
  else if (dice < 0.96) device.hangUp()
  else await device.logOut()
}

interface Comparing {
  readonly busy: number
  readonly note: (comparison: Comparison) => void
}

async function compareAll(devices: readonly SoakDevice[], { busy, note }: Comparing): Promise<void> {
  const left = [...devices]
  const worker = async (): Promise<void> => {
    for (let device = left.pop(); device; device = left.pop()) {
      if (device.tasks.size === 0) continue
      // What was sent last may still be without an answer: a pull brings it.
      if (!device.isLoggedIn) await device.logIn()
      await device.sync()
      note(await device.compare())
    }
  }
  await Promise.all(Array.from({ length: busy }, worker))
}
