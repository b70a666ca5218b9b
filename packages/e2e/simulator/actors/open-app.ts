import { openSdkOn, type Sdk } from '@godwit/model/driver'
import type { DeviceParts } from './device-parts.js'
import type { DiskProcess } from './disk.js'
import { modelOf } from './models.js'

/** The parts of a device that starting its app needs. */
interface AppDevice {
  readonly name: string
  readonly schemaVersion: number
  /** Whether something may have changed since the last check. */
  isTouched: boolean
}

/** Returns a `fetch` that routes event streams to a separate one. */
const withStreams =
  (ask: typeof fetch, stream: typeof fetch): typeof fetch =>
  (input, init) =>
    (String(input).endsWith('/rc/v1/app/events') ? stream : ask)(input, init)

/** Returns the timers of a process; they do nothing once it is dead. */
const timersOf = (process: { readonly isDead: boolean }) => ({
  set(run: () => void, milliseconds: number): () => void {
    const timer = setTimeout(() => process.isDead || run(), milliseconds)
    return () => clearTimeout(timer)
  },
})

/** Starts the app of a device in a process. */
export function openApp(
  device: AppDevice,
  process: DiskProcess,
  { plan, network, clock, ids }: DeviceParts,
  name = device.name,
): Sdk {
  const models = Object.fromEntries(plan.sources.map(source => [source.name, modelOf(source, device.schemaVersion)]))
  const { automatic } = plan
  const sender = {
    name,
    get isDead() {
      return process.isDead
    },
    touch: () => {
      device.isTouched = true
    },
  }
  const fetch = network.fetchOf(sender)
  const options = {
    server: 'http://sync.test',
    fetch: automatic ? withStreams(fetch, network.streamOf(sender)) : fetch,
    clock,
    random: (bytes: Uint8Array) => ids.fill(bytes),
    timeoutMilliseconds: 60_000,
    ...(automatic && { timers: timersOf(process), eventStream: automatic.listens }),
    models,
  }
  const sdk = openSdkOn(process.drive, options, { files: process.files })
  sdk.pollInterval = automatic?.seconds ?? 0
  return sdk as unknown as Sdk
}
