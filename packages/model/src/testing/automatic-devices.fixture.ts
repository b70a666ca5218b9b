import { afterEach } from '@jest/globals'
import type { Definition } from '../definition/definition.js'
import type { SdkEvent } from '../events/sdk-events.js'
import type { Drive } from '../platform/driver.js'
import type { Records } from '../records/records.js'
import type { SdkOptions } from '../sdk/open-sdk.js'
import { FakeServer } from './fake-server.js'
import { ManualTimers } from './manual-timers.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from './open-device.js'

interface OpenOptions extends Pick<SdkOptions, 'eventStream' | 'sendWrites' | 'clock' | 'credentials'> {
  readonly models?: readonly Definition[]
  readonly server?: FakeServer
  readonly directory?: string
}

const half = (bytes: Uint8Array) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>).fill(128)

/** Returns a drive without idle work, so that the only timers are those of the sync. */
const withoutRest = (drive: Drive): Drive => ({
  ...drive,
  open(file) {
    const { rest, ...driver } = drive.open(file)
    return driver
  },
})

interface AutomaticDevice extends OpenedDevice {
  readonly requests: CountedRequests
  readonly timers: ManualTimers
}

/** Counts the requests of a device: all, and those without a response. */
class CountedRequests {
  count = 0
  open = 0
  readonly fetch: typeof fetch

  constructor(server: Pick<FakeServer, 'fetch'>) {
    this.fetch = async (input, init) => {
      this.count++
      this.open++
      try {
        return await server.fetch(input, init)
      } finally {
        this.open--
      }
    }
  }
}

const activity = ({ requests, timers }: AutomaticDevice): string => [requests.count, requests.open, timers.count].join()

/** Returns true if a sync is running that does not wait for a response. */
const isWorking = ({ parts, requests }: AutomaticDevice): boolean => parts.runner.isRunning && requests.open === 0

/** Number of event loop turns without activity after which devices count as idle. */
const QUIET_TURNS = 4

/** Returns a factory of devices that sync automatically, with manual timers. The devices are closed after each test. */
export function automaticDevices() {
  const directories = temporaryDirectories()
  const opened: AutomaticDevice[] = []
  afterEach(async () => {
    for (const { sdk } of opened.splice(0)) await sdk.close()
    directories.removeAll()
  })
  return {
    /** Waits until no device is active, independent of the machine's speed. */
    async settled() {
      for (let quiet = 0, before = ''; quiet < QUIET_TURNS; ) {
        await new Promise(resolve => setTimeout(resolve, 5))
        const now = opened.map(activity).join(' ')
        quiet = now === before && !opened.some(isWorking) ? quiet + 1 : 0
        before = now
      }
    },
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
      const drive = withoutRest(await driveOn('better-sqlite3', directory))
      const requests = new CountedRequests(server)
      const device = openOn(drive, requests, models, { timers, eventStream, random, network, ...options })
      opened.push({ ...device, requests, timers })
      const heard: SdkEvent[] = []
      device.parts.events.listen(event => heard.push(event))
      const records = (name: string) => device.device.find(name) as Records
      const requested = (request: string) => server.requests.filter(one => one === request).length
      return {
        ...device,
        server,
        directory,
        drive,
        timers,
        heard,
        records,
        online: () => back(),
        pulls: (name: string) => requested(`GET /app/v1/${name}`),
        sends: (name: string) => requested(`POST /app/v1/${name}`),
      }
    },
  }
}
