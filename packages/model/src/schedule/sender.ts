import type { Timers } from '../platform/timers.js'
import { SendPace } from './send-pace.js'

export interface SenderParts {
  readonly timers: Timers
  /** Whether the source has something to send. */
  readonly hasToSend: (source: string) => boolean
  /** Whether a request of the source may start; `resume` is called when that may have changed. */
  readonly mayBegin: (source: string) => boolean
  /** Sends waiting changes; never rejects. */
  readonly push: (source: string) => Promise<void>
  readonly busy: (source: string) => void
}

/** Sends local writes, each source at its own pace. */
export class OutboxSender {
  readonly #parts: SenderParts
  readonly #paces = new Map<string, SendPace>()
  readonly #running = new Set<string>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** A source has something to send. `isEcho`: it was written within a callback. */
  wrote(source: string, { isEcho }: { readonly isEcho: boolean }): void {
    this.#paceOf(source).wrote(isEcho)
  }

  /** Starts postponed requests. */
  resume(): void {
    for (const pace of this.#paces.values()) pace.resume()
  }

  stop(): void {
    for (const pace of this.#paces.values()) pace.stop()
    this.#paces.clear()
  }

  #paceOf(source: string): SendPace {
    const known = this.#paces.get(source)
    if (known) return known
    const { timers, busy } = this.#parts
    const pace = new SendPace({ timers, begin: () => this.#begin(source), busy: () => busy(source) })
    this.#paces.set(source, pace)
    return pace
  }

  #begin(source: string): 'begun' | 'later' | 'nothing' {
    const { hasToSend, mayBegin, push } = this.#parts
    if (!hasToSend(source)) return 'nothing'
    if (this.#running.has(source) || !mayBegin(source)) return 'later'
    this.#running.add(source)
    push(source).then(() => {
      this.#running.delete(source)
      this.#paces.get(source)?.resume()
    })
    return 'begun'
  }
}
