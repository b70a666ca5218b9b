import type { Watcher, WatchStream } from './watch-stream.js'

/** The watch streams of a process, as used by handlers. */
export interface WatchStreams {
  /** The number of open streams. */
  readonly size: number
  /** Returns a stream that joins at its first read. Throws `store_unavailable` if the server is stopping. */
  open(watcher: Watcher): WatchStream
  /** Ends every stream with its reason, and accepts no more. */
  close(): Promise<void>
}
