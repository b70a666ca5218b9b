import { createSyncServer, type SyncServer } from '@godwit/server'
import type { Store } from '@godwit/store'
import type { Dice } from './dice.js'
import type { Copy } from './keeper.js'
import { Life, mortalStore } from './mortal-store.js'
import type { ServerParts } from './server-parts.js'
import { steadyStore } from './steady-store.js'

/** Where a life ends: at so many calls from now that write. */
export interface Doom {
  left: number
  readonly edge: 'before' | 'after'
}

const WRITES =
  /\.(open|apply|replace|accept|start|settle|release|acknowledge|ask|noteFailure|acquire|create|merge)$|^blobs\.(append|complete|hold|release|touch|remove)$/
const ADMIN = { login: 'admin', password: 'a password of the simulator' }
const LIMITS = { passwordCost: 16, pushWait: 4, queryLease: 10, sweepInterval: 5, readerNote: 1, drainConcurrency: 3 }

/** An answer, whole. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of a file, in the place of its text. */
  readonly bytes?: Uint8Array<ArrayBuffer>
}

const BYTES = /^application\/(octet-stream|gzip)/

const isBytes = ({ headers }: Response): boolean => BYTES.test(headers.get('content-type') ?? '')

/** The server side: its processes, and the store beneath, which outlives them. */
export class Servers {
  readonly #parts: ServerParts
  #life = new Life()
  #servers: SyncServer[] = []
  #doom: Doom | undefined
  #token = ''
  store: Store
  /** What an operator changed of the limits; the processes that start from now on have it. */
  limits: { readonly [name: string]: number } = {}
  /** The same, for commands of an operator. */
  readonly steady = steadyStore(() => this.store)

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.store = parts.keeper.open()
    this.#start()
  }

  /** Signs the plugin in; once, its token outlives the processes. */
  async signIn(): Promise<void> {
    const answer = await this.#post('/rc/v1/system/login', ADMIN)
    this.#token = (await answer?.text()) ?? ''
  }

  /** A user comes to be with the first login; a store that is restored must not have known them under another id. */
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

  /** One request to one of the processes. Rejects when that process dies meanwhile. */
  async fetch(request: Request, dice: Dice): Promise<Answered> {
    const life = this.#life
    const server = dice.any(this.#servers) as SyncServer
    const died = new Promise<never>((_, reject) => life.onEnd(() => reject(new TypeError('the server is gone'))))
    died.catch(() => {})
    const answered = server.fetch(request).then(async response => ({
      status: response.status,
      headers: response.headers,
      text: isBytes(response) ? '' : await response.text(),
      ...(isBytes(response) && { bytes: new Uint8Array(await response.arrayBuffer()) }),
    }))
    return Promise.race([answered, died])
  }

  /** An answer that lasts, and the life of the process that gives it. */
  async open(request: Request, dice: Dice): Promise<{ readonly response: Response; readonly life: Life }> {
    const life = this.#life
    const server = dice.any(this.#servers) as SyncServer
    const died = new Promise<never>((_, reject) => life.onEnd(() => reject(new TypeError('the server is gone'))))
    died.catch(() => {})
    return { response: await Promise.race([server.fetch(request), died]), life }
  }

  /** The processes will die at one of the next calls of the store. Undefined: they shall live. */
  doom(doom: Doom | undefined): void {
    this.#doom = doom
  }

  /** They die now, and start again. */
  crash(): void {
    this.#doom = undefined
    this.#parts.note('    the server dies and starts again')
    this.#life.end()
    this.#parts.keeper.crash()
    this.#parts.agenda.stir()
    this.#life = new Life()
    this.store = this.#parts.keeper.open()
    this.#start()
  }

  async restore(copy: Copy, how: { readonly renewed: boolean }): Promise<void> {
    this.#life.end()
    this.#parts.keeper.crash()
    await copy(how)
    this.crash()
  }

  /** A world that is over leaves nothing running. */
  close(): void {
    this.#life.end()
    this.#parts.keeper.close()
  }

  #start(): void {
    const { sources, processes, clock, randomId } = this.#parts
    const life = this.#life
    this.#servers = Array.from({ length: processes }, () =>
      createSyncServer({
        store: this.#watched(life),
        sources: sources(),
        admin: ADMIN,
        authenticate: async () => true,
        limits: { ...LIMITS, ...this.#parts.limits, ...this.limits },
        clock,
        randomId,
      }),
    )
  }

  #watched(life: Life): Store {
    const { agenda, isSlow, observe } = this.#parts
    return mortalStore(this.store, life, {
      before: async name => {
        agenda.stir()
        this.#strike(name, 'before')
        if (isSlow()) await agenda.moment(`store: ${name}`)
      },
      after: async (name, given, result) => {
        agenda.stir()
        await observe(name, given, result)
        this.#strike(name, 'after')
      },
    })
  }

  #strike(name: string, edge: Doom['edge']): void {
    const doom = this.#doom
    if (!doom || doom.edge !== edge || !WRITES.test(name) || doom.left-- > 0) return
    this.#parts.note(`    it is ${edge} ${name}`)
    this.crash()
  }
}
