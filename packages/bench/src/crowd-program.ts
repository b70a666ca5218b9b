import type { CrowdSettings, CrowdStep } from './load/crowd.js'
import { LoadDevice } from './load/device.js'
import { type DeviceConnection, keptLine, perSyncConnection } from './load/device-connection.js'
import { cpuSeconds, MAX_ERRORS, sum, type Tally } from './load/tally.js'

/** A process with many devices: takes SETTINGS as JSON, runs steps received by IPC, and sends the result of each. */
const settings = JSON.parse(process.argv[2] ?? '{}') as CrowdSettings
const devices = Array.from({ length: settings.count }, (_, index) => {
  const number = settings.first + index
  const url = settings.urls[number % settings.urls.length] ?? ''
  return new LoadDevice(url, `${settings.name}-${number % settings.users}`)
})
const lines = Array.from({ length: settings.lanes }, settings.connections === 'kept' ? keptLine : perSyncConnection)
let round = 0

/** Resolves to the duration in milliseconds. */
type TimedAction = (device: LoadDevice, line: DeviceConnection, index: number) => Promise<number>

const timeOf = async (deed: Promise<void>): Promise<number> => {
  const began = performance.now()
  await deed
  return performance.now() - began
}

const writes = (index: number): boolean => settings.writes > 0 && (index + round) % settings.writes === 0

function actionOf(step: CrowdStep): TimedAction {
  if (step.do === 'join') return (device, line) => timeOf(device.join(line, step.objects))
  if (step.do === 'sync') return (device, line, index) => timeOf(device.sync(line, step.changes, writes(index)))
  if (step.do === 'listen') return device => timeOf(device.listen())
  if (step.do === 'beat') {
    // All devices wait for a heartbeat from here on, whether or not a connection is free.
    const beats = devices.map(device => device.beat())
    return (_device, _line, index) => timeOf(beaten(beats[index]))
  }
  if (step.do === 'hear') return async (device, line) => (await device.hear(line)) - step.since
  return async device => {
    device.close()
    return 0
  }
}

async function beaten(beat: Promise<boolean> | undefined): Promise<void> {
  if (!(await beat)) throw new Error('The event stream ended before its heartbeat.')
}

/** Runs a step for all devices; the connections share one iterator, so that each takes the next device when it is free. */
async function take(step: CrowdStep): Promise<Tally> {
  const deed = actionOf(step)
  const before = { cpu: process.cpuUsage(), ...counts() }
  const times: number[] = []
  const errors: string[] = []
  let failed = 0
  const waiting = devices.entries()
  const work = async (line: DeviceConnection): Promise<void> => {
    for (const [index, device] of waiting) {
      try {
        times.push(await deed(device, line, index))
      } catch (error) {
        if (failed++ < MAX_ERRORS) errors.push(String(error))
      }
    }
  }
  await Promise.all(lines.map(work))
  round++
  const { requests, rows } = counts()
  const cpu = cpuSeconds(process.cpuUsage(before.cpu))
  return { times, requests: requests - before.requests, rows: rows - before.rows, failed, errors, cpu }
}

const counts = () => ({
  requests: sum(devices.map(device => device.requests)),
  rows: sum(devices.map(device => device.rows)),
})

process.on('message', async (step: CrowdStep) => process.send?.(await take(step)))
process.once('disconnect', () => process.exit())
