import { openSdkOn, type Sdk } from '@godwit/model/driver'
import type { DeviceParts } from './device-parts.js'
import type { DiskProcess } from './disk.js'
import { modelOf } from './models.js'

/** As much of a device as its app begins with. */
interface Beginning {
  readonly name: string
  readonly schemaVersion: number
  /** Something may have changed since the last look. */
  isTouched: boolean
}

/** The app of a device begins in a process. */
export function openOn(
  device: Beginning,
  process: DiskProcess,
  { plan, network, clock, ids }: DeviceParts,
  name = device.name,
): Sdk {
  const models = Object.fromEntries(plan.sources.map(source => [source.name, modelOf(source, device.schemaVersion)]))
  const sdk = openSdkOn(process.drive, {
    server: 'http://sync.test',
    fetch: network.fetchOf({
      name,
      get isDead() {
        return process.isDead
      },
      touch: () => {
        device.isTouched = true
      },
    }),
    clock,
    random: bytes => ids.fill(bytes),
    timeoutMilliseconds: 60_000,
    models,
  })
  sdk.pollInterval = 0
  return sdk as unknown as Sdk
}
