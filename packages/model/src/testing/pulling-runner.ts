import { SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { hasAll } from '../events/hint.js'
import type { Transport } from '../http/transport.js'
import { oneAtATime, type TasksByName } from '../run/one-at-a-time.js'
import { failureOf } from '../run/source-failure.js'
import type { Runner } from '../sync/runner.js'
import type { SourceSummary, SyncOptions, SyncSummary } from '../sync/sync.js'
import type { Positions } from './positions.js'

interface PullingRunnerParts {
  readonly transport: Pick<Transport, 'pull' | 'createClient'>
  readonly session: { readonly token: string | null; clientId: string | null }
  readonly positions: Positions
  /** Called before each pull request. */
  readonly requested: (isHinted: boolean) => void
  readonly failed: (code: string) => void
}

type Options = Omit<SyncOptions, 'signal'>

const PAGE_SIZE = 2000

/** A runner that only pulls and stores positions, with the same results as the runner of a device with rows. */
export class PullingRunner implements Pick<Runner, 'runQueued' | 'runConcurrently' | 'stop'> {
  readonly #parts: PullingRunnerParts
  readonly #busy: TasksByName = new Map()

  constructor(parts: PullingRunnerParts) {
    this.#parts = parts
  }

  async runQueued(options: Options): Promise<SyncSummary> {
    const { session, transport } = this.#parts
    if (session.clientId === null) {
      const { client } = await transport.createClient({ session: session.token })
      session.clientId = client.client_id
    }
    const sources = await Promise.all(
      options.models.map(model => oneAtATime(this.#busy, model.name, () => this.#pullModel(model, options))),
    )
    if (sources.length > 0 && sources.every(({ error }) => error?.code === 'offline'))
      throw new SyncError('offline', sources[0]?.error?.message ?? '')
    return { sources, received: sources.reduce((sum, { received }) => sum + received, 0), sent: 0, stopped: false }
  }

  runConcurrently(options: Options): Promise<SyncSummary> {
    return this.runQueued(options)
  }

  async stop(): Promise<void> {}

  async #pullModel(model: OpenModel, { hints }: Options): Promise<SourceSummary> {
    const hint = hints?.get(model.name)
    const summary = { source: model.name, received: 0, sent: 0 }
    if (hint !== undefined && hasAll(model, hint)) return summary
    try {
      return { ...summary, received: await this.#pull(model.name, hint !== undefined) }
    } catch (cause) {
      const error = failureOf(cause)
      this.#parts.failed(error.code)
      return { ...summary, error }
    }
  }

  async #pull(source: string, isHinted: boolean): Promise<number> {
    const { transport, session, positions, requested } = this.#parts
    for (let received = 0; ; ) {
      const query = { token: positions.get(source).token ?? undefined, p_size: PAGE_SIZE, acknowledged: 0 }
      requested(isHinted)
      const page = await transport.pull(source, query, { session: session.token, client: session.clientId, isHinted })
      positions.apply(source, page)
      received += page.count
      if (!page.more) return received
    }
  }
}
