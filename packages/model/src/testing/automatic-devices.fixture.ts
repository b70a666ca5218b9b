import { afterEach } from '@jest/globals'
import type { Definition } from '../definition/definition.js'
import type { SdkOptions } from '../open-sdk.js'
import type { Records } from '../records/records.js'
import type { SdkEvent } from '../sync/events.js'
import { FakeServer } from './fake-server.js'
import { ManualTimers } from './manual-timers.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from './open-device.js'

interface OpenOptions extends Pick<SdkOptions, 'eventStream' | 'sendWrites'> {
  readonly models?: readonly Definition[]
  readonly server?: FakeServer
  readonly directory?: string
}

const half = (bytes: Uint8Array) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>).fill(128)

/** Devices that do by themselves what they do, in the time that a test moves; closed after each test. */
export function automaticDevices() {
  const directories = temporaryDirectories()
  const opened: OpenedDevice[] = []
  afterEach(async () => {
    for (const { sdk } of opened.splice(0)) await sdk.close()
    directories.removeAll()
  })
  return {
    /** Waits for what runs without waiting. */
    settled: () => new Promise(resolve => setTimeout(resolve, 20)),
    async open({
      models = [definition('City'), definition('Visit')],
      server = new FakeServer(),
      directory = directories.make(),
      eventStream = false,
      ...options
    }: OpenOptions = {}) {
      const timers = new ManualTimers()
      let ids = 0
      const random = (bytes: Uint8Array) => {
        half(bytes)
        if (bytes.length > 4) new DataView(bytes.buffer).setUint32(0, ++ids)
      }
      let back = (): void => {}
      const network = (online: () => void) => {
        back = online
        return () => {
          back = () => {}
        }
      }
      const drive = await driveOn('better-sqlite3', directory)
      const device = openOn(drive, server, models, { timers, eventStream, random, network, ...options })
      opened.push(device)
      const heard: SdkEvent[] = []
      device.parts.events.listen(event => heard.push(event))
      const records = (name: string) => device.device.find(name) as Records
      const asked = (request: string) => server.requests.filter(one => one === request).length
      return {
        ...device,
        server,
        directory,
        drive,
        timers,
        heard,
        records,
        online: () => back(),
        pulls: (name: string) => asked(`GET /app/v1/${name}`),
        sends: (name: string) => asked(`POST /app/v1/${name}`),
      }
    },
  }
}
