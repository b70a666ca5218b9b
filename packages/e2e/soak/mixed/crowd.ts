import { setTimeout as after } from 'node:timers/promises'
import { SoakDevice } from './device.js'
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
}

/** What became of a crowd. */
export interface CrowdReport {
  readonly actions: number
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

/** Many devices, a few of them busy at a time: they sync, edit, search, listen, log out and come back. At the end each compares what was confirmed to it with what the server has. */
export async function runCrowd(options: CrowdOptions): Promise<CrowdReport> {
  const { url, devices: count, duration, busy, pause, random } = options
  const latencies = new Latencies()
  const failures: string[] = []
  const devices = Array.from({ length: count }, (_, n) => new SoakDevice(url, `soak-${n}`, latencies))
  const listeners = new Set(devices.slice(0, Math.ceil(count / LISTENING)))
  const until = performance.now() + duration
  let actions = 0
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
      await attempt(() => act(device, random, listeners.has(device)))
      free.push(device)
      await after(random() * pause)
    }
  }
  await Promise.all(Array.from({ length: busy }, worker))
  for (const device of devices) device.hangUp()
  const { lost, compared } = await compare(devices, busy)
  return { actions, failures, lost, compared, latencies: latencies.report() }
}

async function act(device: SoakDevice, random: () => number, mayListen: boolean): Promise<void> {
  if (!device.isLoggedIn) await device.logIn()
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

async function compare(devices: readonly SoakDevice[], busy: number) {
  const lost: string[] = []
  const left = [...devices]
  let compared = 0
  const worker = async (): Promise<void> => {
    for (let device = left.pop(); device; device = left.pop()) {
      if (device.tasks.size === 0) continue
      // What was sent last may still be without an answer: a pull brings it.
      if (!device.isLoggedIn) await device.logIn()
      await device.sync()
      const there = await device.everything()
      compared += there.size
      const isSame = JSON.stringify(sorted(there)) === JSON.stringify(sorted(device.tasks))
      if (!isSame && lost.length < 20)
        lost.push(`${device.login}: ${JSON.stringify([sorted(device.tasks), sorted(there)])}`)
    }
  }
  await Promise.all(Array.from({ length: busy }, worker))
  return { lost, compared }
}

const sorted = (rows: ReadonlyMap<string, object>) =>
  [...rows]
    .map(([id, attributes]) => [id, Object.entries(attributes).sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
