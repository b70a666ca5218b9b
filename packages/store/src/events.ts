import type { JsonValue } from '@godwit/protocol'

/** Hints between processes, delivered at most once. A listener first subscribes, then reads the state. */
export interface Events {
  publish(channel: string, event: JsonValue): Promise<void>

  /**
   * Resolves when subscribed; call the result to unsubscribe. A listener that throws does not affect the others. `missed` is called after a
   * resubscription, when events may have been lost, so that the listener reads the state again.
   */
  subscribe(channel: string, listener: (event: JsonValue) => void, missed?: () => void): Promise<() => Promise<void>>
}
