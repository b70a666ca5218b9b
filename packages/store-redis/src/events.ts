import type { JsonValue } from '@godwit/protocol'
import type { Events } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { asStoreError } from './failure.js'

interface ChannelListener {
  readonly hear: (event: JsonValue) => void
  readonly missed: () => void
}

/** Events between all processes of a Redis, with one subscription per channel and process. Each listener gets a separate copy of an event. */
export function redisEvents(connection: RedisConnection): Events {
  const channels = new Map<string, Channel>()
  return {
    publish: async (channel, event) => {
      await connection.command(connection.keys.channel(channel), 'SPUBLISH', JSON.stringify(event))
    },
    subscribe: async (name, listener, missed = () => undefined) => {
      const channel = channels.get(name) ?? new Channel(connection, connection.keys.channel(name))
      channels.set(name, channel)
      // A separate object for each call, so that a listener that subscribes twice is called twice.
      const own: ChannelListener = { hear: event => listener(event), missed }
      channel.listeners.add(own)
      await channel.subscribed.catch(error => {
        channels.delete(name)
        throw asStoreError(error)
      })
      return async () => {
        if (!channel.listeners.delete(own) || channel.listeners.size > 0) return
        if (channels.get(name) === channel) channels.delete(name)
        await (await channel.subscribed)()
      }
    },
  }
}

class Channel {
  readonly listeners = new Set<ChannelListener>()
  readonly subscribed: Promise<() => Promise<void>>

  constructor({ handle }: RedisConnection, channel: string) {
    const onMessage = (message: string) => this.#deliver(({ hear }) => hear(JSON.parse(message) as JsonValue))
    this.subscribed = handle.subscribe(channel, onMessage, () => this.#deliver(({ missed }) => missed()))
  }

  #deliver(deliver: (listener: ChannelListener) => void): void {
    for (const listener of [...this.listeners]) {
      if (!this.listeners.has(listener)) continue
      try {
        deliver(listener)
      } catch {
        // Ignored: an event is a hint, so the listener reads the state later; the others must still get it.
      }
    }
  }
}
