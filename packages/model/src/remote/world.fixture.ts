import { FILES } from '../database/files.js'
import { composeSdk } from '../sdk/open-sdk.js'
import type { SdkParts } from '../sdk/parts.js'
import { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { driveOn, fragile } from '../testing/open-device.js'
import { remoteActions } from './actions.js'
import { type DeviceHost, hostDevice } from './host.js'
import type { PortLike } from './port.js'
import { actions, type Models, models } from './remote.fixture.js'
import { type RemoteLink, remoteLink } from './remote-link.js'

type Listener = (event: object) => void

interface Packet {
  readonly to: End
  readonly message: unknown
}

/** One end of a channel whose packets a test delivers, drops or repeats. */
class End implements PortLike {
  readonly listeners = new Set<Listener>()
  other: End = this
  isCut = false
  readonly #packets: Packet[]

  constructor(packets: Packet[]) {
    this.#packets = packets
  }

  postMessage(message: unknown): void {
    if (!this.isCut) this.#packets.push({ to: this.other, message: structuredClone(message) })
  }

  addEventListener(_: 'message', listener: Listener): void {
    this.listeners.add(listener)
  }

  removeEventListener(_: 'message', listener: Listener): void {
    this.listeners.delete(listener)
  }
}

interface Owner {
  readonly sdk: Sdk<Models>
  readonly database: SdkParts<Models>['database']
  readonly host: DeviceHost
  readonly ends: End[]
  readonly failAt: (test: ((sql: string) => boolean) | undefined) => void
}

type Page = RemoteLink<Models, typeof actions>

/** Pages, owners of the same real files, and everything that is on its way between them, under the hands of a test. */
export class RemoteWorld {
  readonly timers = new ManualTimers()
  readonly packets: Packet[] = []
  readonly pages: readonly Page[]
  readonly #directory: string
  readonly #owners: Owner[] = []

  constructor(directory: string, pages = 2) {
    this.#directory = directory
    this.pages = Array.from({ length: pages }, () =>
      remoteLink<Models, typeof actions>({
        models,
        actions: remoteActions<typeof actions>(),
        timers: this.timers,
        clock: this.now,
      }),
    )
  }

  readonly now = (): number => 1_800_000_000_000 + this.timers.now

  get owner(): Owner | undefined {
    return this.#owners.at(-1)
  }

  /** Another owner of the files begins, and the pages go to it. An owner of before that was not killed goes on. */
  async open(): Promise<void> {
    const { drive, failAt } = fragile(await driveOn('better-sqlite3', this.#directory))
    const server = new FakeServer()
    const parts = composeSdk<Models>(drive, {
      server: 'http://sync.test',
      fetch: server.fetch,
      eventStream: false,
      timers: this.timers,
      clock: this.now,
      models,
    })
    const sdk = new Sdk(parts)
    const host = hostDevice<Models>({ sdk, models, actions, timers: this.timers, clock: this.now })
    const owner: Owner = { sdk, database: parts.database, host, ends: [], failAt }
    this.#owners.push(owner)
    for (const page of this.pages) this.connect(page)
  }

  /** A channel between a page and the owner; what is on its way on others stays on its way. */
  connect(page: Page): void {
    const { owner } = this
    if (!owner) return
    const [here, there] = [new End(this.packets), new End(this.packets)]
    here.other = there
    there.other = here
    owner.ends.push(there)
    owner.host.connect(there)
    page.attach(here)
  }

  /** The owner is gone from one line to the next: it says nothing any more, and what is on its way to it is lost. */
  async kill(): Promise<void> {
    const owner = this.#owners.pop()
    if (!owner) return
    for (const end of owner.ends) {
      end.isCut = true
      end.listeners.clear()
    }
    owner.failAt(undefined)
    await owner.sdk.close()
  }

  /** Dies at the statement of this number from now on; the error thrown there reaches no client. */
  dieAt(statement: number): void {
    const { owner } = this
    let left = statement
    owner?.failAt(() => {
      if (--left > 0) return false
      for (const end of owner.ends) end.isCut = true
      return true
    })
  }

  /** How many notes of calls are in all files. */
  notes(): number {
    const { database } = this.#owners.at(-1) as Owner
    const count = (file: string) => database.prepare(`SELECT count(*) FROM "${file}".call_note`).arrays()[0]?.[0]
    return FILES.reduce((sum, file) => sum + Number(count(file)), 0)
  }

  deliver(at = 0): void {
    const [packet] = this.packets.splice(at, 1)
    if (packet) for (const listener of [...packet.to.listeners]) listener({ data: packet.message })
  }

  /** Everything arrives, and so does what follows from it. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      quiet = this.packets.length > 0 ? 0 : quiet + 1
      while (this.packets.length > 0) this.deliver()
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  async close(): Promise<void> {
    for (const page of this.pages) page.device.close()
    while (this.owner) await this.kill()
  }
}
