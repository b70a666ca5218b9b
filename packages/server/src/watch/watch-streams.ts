import type { Watcher, WatchStream } from './watch-stream.js'

/** The streams of those who watch a server, as verbs and handlers see them. */
export interface WatchStreams {
  /** How many streams are open. */
  readonly size: number
  /** A stream that joins when it is first read. Throws `store_unavailable` when the server stops. */
  open(watcher: Watcher): WatchStream
  /** Ends every stream, each with its reason, and takes no more. */
  close(): Promise<void>
}
