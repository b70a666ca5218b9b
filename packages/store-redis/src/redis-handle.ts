/** A reply of Redis: text, number or list, or null if there is no value. */
export type RedisReply = string | number | null | readonly RedisReply[]

/** The name and arguments of a command, as text or bytes. */
export type RedisCommand = readonly (string | Uint8Array)[]

/** Sends a command to one primary server. */
export type Primary = (command: RedisCommand) => Promise<RedisReply>

/** The part of a Redis client that the store uses, the same for one server, Sentinel and Cluster. */
export interface RedisHandle {
  /**
   * Sends one command to the primary that holds `key`. A command is never resent after it was sent, even if the connection or the server is replaced.
   */
  send(key: string, command: RedisCommand): Promise<RedisReply>

  /** Like `send`, for a reply of bytes. */
  sendForBytes(key: string, command: RedisCommand): Promise<Uint8Array>

  /**
   * Sends a pipeline over a separate connection to the primary that holds `key`, so that its commands may block. Rejects if one fails or the
   * connection changes; all commands go to the same server.
   */
  sendInRow(key: string, commands: readonly RedisCommand[]): Promise<readonly RedisReply[]>

  /** Returns every primary, for commands such as SCAN and INFO that concern whole servers. */
  primaries(): Promise<readonly Primary[]>

  /** Resolves when subscribed. `lost` is called after a resubscription, when messages may have been missed. */
  subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>>

  /** Disconnects once every sent command was answered. */
  close(): Promise<void>

  /** Disconnects immediately; commands in progress reject, including blocking ones. */
  destroy(): void
}
