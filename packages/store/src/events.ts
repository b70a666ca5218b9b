import type { JsonValue } from '@godwit/protocol'

/** Hints between processes, delivered at most once. A listener subscribes first and reads the state then. */
export interface Events {
  publish(channel: string, event: JsonValue): Promise<void>

  /**
   * Resolves when the subscription stands; call the result to end it. A listener that throws does not affect the others.
   * `missed` is called when the subscription stands again after events may have been lost: the listener reads the state then.
   */
  subscribe(channel: string, listener: (event: JsonValue) => void, missed?: () => void): Promise<() => Promise<void>>
}
