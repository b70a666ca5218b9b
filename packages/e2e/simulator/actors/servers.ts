import type { Source } from '@godwit/server'
import { createSyncServer, type SyncServer } from '@godwit/server'
import type { Store } from '@godwit/store'
import { crashableStore, Lifetime } from '../world/crashable-store.js'
import type { Dice } from '../world/dice.js'
import { retryingStore } from '../world/retrying-store.js'
import type { Scheduler } from '../world/scheduler.js'
import type { StoreCopy, StoreDisk } from '../world/store-disk.js'

/** The parts of the world that servers depend on. */
export interface ServerParts {
  readonly storeDisk: StoreDisk
  readonly scheduler: Scheduler
  readonly clock: () => number
  readonly randomId: () => string
  // biome-ignore lint/suspicious/noExplicitAny: sources of any attributes
  readonly sources: () => readonly Source<any>[]
  /** Limits that differ from the defaults. */
  readonly limits: { readonly [name: string]: number }
  /** Number of processes. */
  readonly processes: number
  /** Whether each call of the store takes time. */
  readonly isSlow: () => boolean
  /** Called when the processes die and uncommitted data of the store is lost. */
  readonly onCrash: () => void
  /** Called before every call of the store. */
  readonly expect: (name: string, given: readonly unknown[]) => void
  /** Called after every call of the store. */
  readonly observe: (name: string, given: readonly unknown[], result: unknown) => Promise<void>
  readonly note: (text: string) => void
}

/** A planned crash: before or after the write that follows `left` others. */
export interface PlannedCrash {
  left: number
  readonly edge: 'before' | 'after'
}

const WRITES =
  /\.(open|apply|replace|advance|accept|start|settle|release|acknowledge|requestQuery|recordFailure|acquire|create|merge)$|^blobs\.(append|complete|hold|release|touch|remove)$/
const ADMIN = { login: 'admin', password: 'a password of the simulator' }
const LIMITS = {
  passwordCost: 16,
  pushWait: 4,
  queryLease: 10,
  sweepInterval: 5,
  positionInterval: 1,
  drainConcurrency: 3,
}

/** A response with its complete body. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** A binary body; `text` is empty then. */
  readonly bytes?: Uint8Array<ArrayBuffer>
}

const BYTES = /^application\/(octet-stream|gzip)/

const isBytes = ({ headers }: Response): boolean => BYTES.test(headers.get('content-type') ?? '')

/** The server processes, and the store, which survives them. */
export class Servers {
  readonly #parts: ServerParts
  #lifetime = new Lifetime()
  #servers: SyncServer[] = []
  #planned: PlannedCrash | undefined
  #token = ''
  store: Store
  /** Limits changed by an operator; they apply to processes started later. */
  limits: { readonly [name: string]: number } = {}
  /** The store for operators' commands, with retries. */
  readonly retrying = retryingStore(() => this.store)

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.store = parts.storeDisk.open()
    this.#start()
  }

  /** Signs in as administrator and stores the token, which survives the processes. */
  async signIn(): Promise<void> {
    const answer = await this.#post('/rc/v1/system/login', ADMIN)
    this.#token = (await answer?.text()) ?? ''
  }

  /** Creates a user by a first login, before copies of the store are made: a restore must not change the user's id. */
  async introduce(login: string): Promise<void> {
    await this.#post('/rc/v1/app/login', { login, password: 'secret' })
  }

  #post(path: string, body: object) {
    return this.#servers[0]?.fetch(`http://sync.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  get token(): string {
    return this.#token
  }

  /** Sends a request to one of the processes. Rejects if that process dies meanwhile. */
  async fetch(request: Request, dice: Dice): Promise<WholeResponse> {
    const lifetime = this.#lifetime
    const server = dice.any(this.#servers) as SyncServer
    const died = new Promise<never>((_, reject) => lifetime.onEnd(() => reject(new TypeError('the server is gone'))))
    died.catch(() => {})
    const answered = server.fetch(request).then(async response => ({
      status: response.status,
      headers: response.headers,
      text: isBytes(response) ? '' : await response.text(),
      ...(isBytes(response) && { bytes: new Uint8Array(await response.arrayBuffer()) }),
    }))
    return Promise.race([answered, died])
  }

  /** Opens a long-lived response of a process, and returns it with the lifetime of the process. */
  async open(request: Request, dice: Dice): Promise<{ readonly response: Response; readonly lifetime: Lifetime }> {
    const lifetime = this.#lifetime
    const server = dice.any(this.#servers) as SyncServer
    const died = new Promise<never>((_, reject) => lifetime.onEnd(() => reject(new TypeError('the server is gone'))))
    died.catch(() => {})
    return { response: await Promise.race([server.fetch(request), died]), lifetime }
  }

  /** Plans a crash of the processes at a later call of the store; undefined cancels it. */
  crashAt(crashAt: PlannedCrash | undefined): void {
    this.#planned = crashAt
  }

  /** Kills and restarts the processes. */
  crash(): void {
    this.#planned = undefined
    this.#parts.note('    the server dies and starts again')
    this.#parts.onCrash()
    this.#lifetime.end()
    this.#parts.storeDisk.crash()
    this.#parts.scheduler.recordActivity()
    this.#lifetime = new Lifetime()
    this.store = this.#parts.storeDisk.open()
    this.#start()
  }

  async restore(copy: StoreCopy, how: { readonly renewed: boolean }): Promise<void> {
    this.#lifetime.end()
    this.#parts.storeDisk.crash()
    await copy(how)
    this.crash()
  }

  /** Stops the processes when the world ends. */
  close(): void {
    this.#lifetime.end()
    this.#parts.storeDisk.close()
  }

  #start(): void {
    const { sources, processes, clock, randomId } = this.#parts
    const lifetime = this.#lifetime
    this.#servers = Array.from({ length: processes }, () =>
      createSyncServer({
        store: this.#watchStore(lifetime),
        sources: sources(),
        admin: ADMIN,
        authenticate: async () => true,
        resetAllowed: true,
        limits: { ...LIMITS, ...this.#parts.limits, ...this.limits },
        clock,
        randomId,
      }),
    )
  }

  #watchStore(lifetime: Lifetime): Store {
    const { scheduler, isSlow, expect, observe } = this.#parts
    return crashableStore(this.store, lifetime, {
      before: async (name, given) => {
        scheduler.recordActivity()
        this.#strike(name, 'before')
        if (isSlow()) await scheduler.delay(`store: ${name}`)
        if (!lifetime.isOver) expect(name, given)
      },
      after: async (name, given, result) => {
        scheduler.recordActivity()
        await observe(name, given, result)
        this.#strike(name, 'after')
      },
    })
  }

  #strike(name: string, edge: PlannedCrash['edge']): void {
    const crashAt = this.#planned
    if (!crashAt || crashAt.edge !== edge || !WRITES.test(name) || crashAt.left-- > 0) return
    this.#parts.note(`    it is ${edge} ${name}`)
    this.crash()
  }
}
