import type { RecordKind, RecordValue } from '@godwit/store'
import type { ServerEngine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { type Credential, keptUntil } from './credentials.js'

const MINUTE = 60_000

/** Notes when credentials and clients were last used: at most once a minute each, and no answer waits for it. */
export class LastUseRecorder {
  readonly #engine: Pick<ServerEngine, 'store' | 'clock' | 'limits' | 'log'>
  readonly #pending = new Set<string>()

  constructor(engine: Pick<ServerEngine, 'store' | 'clock' | 'limits' | 'log'>) {
    this.#engine = engine
  }

  credential({ id, purpose, seenAt }: Credential): void {
    const now = this.#engine.clock()
    if (now - seenAt < MINUTE) return
    const { tokenSliding, tokenLife } = this.#engine.limits
    const end = now + tokenLife * 1000
    if (purpose !== 'token' || !tokenSliding) this.#note('credential', id, { seen_at: now })
    else this.#note('credential', id, { seen_at: now, expires_at: end }, { expiresAt: keptUntil(end) })
  }

  client(id: string, seenAt: number): void {
    const now = this.#engine.clock()
    if (now - seenAt >= MINUTE) this.#note('client', id, { seen_at: now })
  }

  #note(kind: RecordKind, id: string, change: RecordValue, options?: { readonly expiresAt: number }): void {
    const note = `${kind} ${id}`
    if (this.#pending.has(note)) return
    this.#pending.add(note)
    this.#engine.store.registry
      .merge(kind, id, change, options)
      .catch(error => this.#engine.log.debug({ error: messageOf(error), kind }, 'a use was not noted'))
      .finally(() => this.#pending.delete(note))
  }
}
