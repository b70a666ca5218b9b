import type { JsonValue } from '@godwit/protocol'
import type { EventStream, StreamOwner } from './event-stream.js'

/** The open event streams of a process, as verbs and handlers see them. */
export interface EventStreams {
  /** How many streams are open. */
  readonly size: number
  /** A stream that joins when it is first read. Throws `store_unavailable` when the server stops. */
  open(listener: StreamOwner): EventStream
  /** Tells a client; false: it has no open stream here. */
  ping(login: string, client: string, message: { readonly [name: string]: JsonValue }): boolean
  isOpen(login: string, client: string): boolean
  /** Ends every stream at once and takes no more. */
  close(): Promise<void>
}
