import { freePort } from '@godwit/testing'
import { type ServerProcess, startServer } from '../harness/server-process.js'

export interface FleetOptions {
  /** The store's address. */
  readonly store: string
  /** The scripted backend's URL. */
  readonly backend: string
  /** Whether workers run the writes of all sources. */
  readonly queued?: boolean | undefined
  /** Overrides of the configured limits. */
  readonly limits?: object
}

/** A server that can be restarted, always on the same port. */
export class Member {
  readonly name: string
  readonly url: string
  state: 'up' | 'dead' | 'stopped' = 'dead'
  readonly #options: FleetOptions
  readonly #port: number
  #process: ServerProcess | undefined

  private constructor(name: string, port: number, options: FleetOptions) {
    this.name = name
    this.url = `http://127.0.0.1:${port}`
    this.#port = port
    this.#options = options
  }

  static async start(name: string, options: FleetOptions): Promise<Member> {
    const member = new Member(name, await freePort(), options)
    await member.start()
    return member
  }

  async start(): Promise<void> {
    const { store, backend, queued, limits = {} } = this.#options
    this.#process = await startServer({
      store,
      config: 'scripted.mjs',
      port: this.#port,
      environment: {
        BACKEND: backend,
        SERVER: this.name,
        LIMITS: JSON.stringify(limits),
        ...(queued && { QUEUE: 'writes' }),
      },
    })
    this.state = 'up'
  }

  /** Starts the server, retrying like a supervisor while its store is unavailable. */
  async startPersistently(): Promise<void> {
    while (this.state !== 'up') await this.start().catch(notTheStore)
  }

  /** Kills the process, as in a crash. */
  async kill(): Promise<void> {
    this.state = 'dead'
    await this.#process?.kill('SIGKILL')
  }

  /** Stops the process, as a supervisor does; resolves to its exit code. */
  async terminate(): Promise<number | null | undefined> {
    this.state = 'dead'
    await this.#process?.kill('SIGTERM')
    return (await this.#process?.exit)?.code
  }

  /** Pauses the process, like a machine that is suspended: what it had begun continues when it resumes. */
  stop(): void {
    this.state = 'stopped'
    this.#process?.child.kill('SIGSTOP')
  }

  resume(): void {
    this.state = 'up'
    this.#process?.child.kill('SIGCONT')
  }

  /** The log of the current process. */
  get log(): string {
    return this.#process?.output().error ?? ''
  }
}

function notTheStore(error: Error): void {
  if (!error.message.includes('SYNC_STORE: ')) throw error
}
