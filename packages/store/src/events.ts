import type { JsonValue } from '@godwit/protocol'

/** Hints between processes: at most once, never the truth. Whoever listens subscribes first and reads then. */
export interface Events {
  publish(channel: string, event: JsonValue): Promise<void>

  /** Resolves when the subscription stands; call the result to end it. A listener that throws hurts nobody else. */
  subscribe(channel: string, listener: (event: JsonValue) => void): Promise<() => Promise<void>>
}
