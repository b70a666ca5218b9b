import type { JsonValue } from '@godwit/protocol'

/** Hints between processes: at most once, never the truth. Whoever listens subscribes first and reads then. */
export interface Events {
  publish(channel: string, event: JsonValue): Promise<void>

  /**
   * Resolves when the subscription stands; call the result to end it. A listener that throws hurts nobody else.
   * `missed` is called when the subscription stands again after a while in which events may have been lost: whoever listens reads the truth then.
   */
  subscribe(channel: string, listener: (event: JsonValue) => void, missed?: () => void): Promise<() => Promise<void>>
}
