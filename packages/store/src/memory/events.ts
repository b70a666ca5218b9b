import type { JsonValue } from '@godwit/protocol'
import type { Events } from '../events.js'

type ChannelListener = (event: JsonValue) => void

export interface MemoryEvents extends Events {
  clear(): void
}

/** Events of one process. Each listener gets a separate copy, after the publisher's current code has run. */
export function memoryEvents(): MemoryEvents {
  const channels = new Map<string, Set<ChannelListener>>()
  return {
    publish: async (channel, event) => {
      const text = JSON.stringify(event)
      for (const listener of channels.get(channel) ?? [])
        queueMicrotask(() => deliver(channels.get(channel), listener, text))
    },
    subscribe: async (channel, listener) => {
      // A separate function for each call, so that a listener that subscribes twice is called twice.
      const own: ChannelListener = event => listener(event)
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(own))
      return async () => {
        listeners.delete(own)
        if (listeners.size === 0) channels.delete(channel)
      }
    },
    clear: () => channels.clear(),
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
