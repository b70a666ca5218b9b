import { openSdkOn, type Sdk } from '@godwit/model/driver'
import type { DeviceParts } from './device-parts.js'
import type { DiskProcess } from './disk.js'
import { modelOf } from './models.js'

/** As much of a device as its app begins with. */
interface AppDevice {
  readonly name: string
  readonly schemaVersion: number
  /** Something may have changed since the last look. */
  isTouched: boolean
}

/** What lasts is asked for apart. */
const withStreams =
  (ask: typeof fetch, stream: typeof fetch): typeof fetch =>
  (input, init) =>
    (String(input).endsWith('/rc/v1/app/events') ? stream : ask)(input, init)

/** Timers of one process: what it set is void once it is dead. */
const timersOf = (process: { readonly isDead: boolean }) => ({
  set(run: () => void, milliseconds: number): () => void {
    const timer = setTimeout(() => process.isDead || run(), milliseconds)
    return () => clearTimeout(timer)
  },
})

/** The app of a device begins in a process. */
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
