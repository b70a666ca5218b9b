import { setTimeout as after } from 'node:timers/promises'
import { type Comparison, SoakDevice } from './device.js'
import { Latencies } from './latencies.js'

export interface CrowdOptions {
  readonly url: string
  readonly devices: number
  /** Duration in milliseconds. */
  readonly duration: number
  /** Number of devices that act concurrently. */
  readonly busy: number
  /** The longest pause of a lane between two actions, in milliseconds. */
  readonly pause: number
  readonly random: () => number
  /** API token for removing devices and users. */
  readonly admin: string
  /** Called after all actions, before the devices are compared. */
  readonly inspect: (devices: readonly SoakDevice[], removals: number) => Promise<void>
}

/** The result of a run. */
export interface CrowdReport {
  readonly actions: number
  /** Number of devices and users replaced by new ones. */
  readonly replaced: number
  /** Error messages, at most twenty. */
  readonly failures: readonly string[]
  /** Differences between the confirmed tasks of devices and those of the server, at most twenty. */
  readonly lost: readonly string[]
  /** Number of tasks compared. */
  readonly compared: number
  readonly latencies: ReturnType<Latencies['report']>
}

/** One in this many devices opens event streams, so that the number of streams soon becomes constant. */
const LISTENING = 10

/** Average number of actions before a device is replaced, and likewise its user, so that the server's data soon becomes constant. */
export const ACTIONS_OF_A_LIFE = 25

/**
 * Runs many devices, a few of them concurrently: they sync, edit, search, listen, log out, log in, and are replaced. At the end, compares the
 * tasks confirmed to each device with those on the server.
 */
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
  /** Devices that no lane uses; each is used by one lane at a time. */
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
      // The last push may be unanswered: a pull brings its outcome.
      if (!device.isLoggedIn) await device.logIn()
      await device.sync()
      note(await device.compare())
    }
  }
  await Promise.all(Array.from({ length: busy }, worker))
}
