import type { JsonValue } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { EventStream, StreamOwner } from './event-stream.js'

/** The open event streams of a process, as used by handlers. */
export interface EventStreams {
  /** The number of open streams. */
  readonly size: number
  /** Returns a stream that joins at its first read. Throws `store_unavailable` if the server is stopping. */
  open(listener: StreamOwner): EventStream
  /** Sends a ping to a client. Returns false if it has no open stream in this process. */
  ping(login: string, client: string, message: { readonly [name: string]: JsonValue }): boolean
  isOpen(login: string, client: string): boolean
  /** The clients of a user with an open stream in this process. */
  clientsOf(login: string): readonly string[]
  /** The logins of users with an open stream. */
  logins(): Iterable<string>
  isListening(login: string): boolean
  /** Calls the listener at each change of a collection that this process hears of, which it does while streams are open. */
  onChange(listener: (collection: CollectionId) => void): void
  /** Ends every stream and accepts no more. */
  close(): Promise<void>
}
