import { SendPace } from './send-pace.js'
import type { Timers } from './timers.js'

export interface SenderParts {
  readonly timers: Timers
  /** Whether something of the source waits to be sent. */
  readonly hasToSend: (source: string) => boolean
  /** Whether a request of the source may begin now; `resume` is called when that may have changed. */
  readonly mayBegin: (source: string) => boolean
  /** Sends what waits, and never rejects. */
  readonly push: (source: string) => Promise<void>
  readonly busy: (source: string) => void
}

/** Sends what the app writes, each source at its own pace. */
export class OutboxSender {
  readonly #parts: SenderParts
  readonly #paces = new Map<string, SendPace>()
  readonly #running = new Set<string>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Something of a source is to be sent. `isEcho`: it was written while the app was called back. */
  wrote(source: string, { isEcho }: { readonly isEcho: boolean }): void {
    this.#paceOf(source).wrote(isEcho)
  }

  /** Begins what had to wait. */
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
