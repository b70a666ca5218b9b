import type { JsonValue } from '@godwit/protocol'
import type { Events } from '@godwit/store'
import type { Database } from './database.js'

type ChannelListener = (event: JsonValue) => void

/** Events within this process, since a file has one server. Each listener gets a separate copy, after the publisher's current code has run. */
export function sqliteEvents(database: Database): Events {
  const channels = new Map<string, Set<ChannelListener>>()
  return {
    publish: async (channel, event) => {
      database.assertOpen()
      const text = JSON.stringify(event)
      for (const listener of channels.get(channel) ?? [])
        queueMicrotask(() => deliver(channels.get(channel), listener, text))
    },
    subscribe: async (channel, listener) => {
      database.assertOpen()
      // A separate function for each call, so that a listener that subscribes twice is called twice.
      const own: ChannelListener = event => listener(event)
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(own))
      return async () => {
        if (listeners.delete(own) && listeners.size === 0) channels.delete(channel)
      }
    },
  }
}

function deliver(listeners: ReadonlySet<ChannelListener> | undefined, listener: ChannelListener, text: string): void {
  if (!listeners?.has(listener)) return
  try {
    listener(JSON.parse(text) as JsonValue)
  } catch {
    // Ignored: an event is a hint, so the listener reads the state later; the others must still get it.
  }
}
