/** What Redis answers: text, numbers, lists of them; null where there is nothing. */
export type RedisReply = string | number | null | readonly RedisReply[]

/** Its name and arguments, text or bytes. */
export type RedisCommand = readonly (string | Uint8Array)[]

/** One server that takes writes. */
export type Primary = (command: RedisCommand) => Promise<RedisReply>

/** The slice of a Redis client that the store uses, the same for one server, Sentinel and Cluster. */
export interface RedisHandle {
  /** One command, to the primary that holds `key`. A command that was sent is not sent again by itself, whatever became of the connection or of the server. */
  send(key: string, command: RedisCommand): Promise<RedisReply>

  /** The same, for a command whose answer is bytes. */
  sendForBytes(key: string, command: RedisCommand): Promise<Uint8Array>

  /**
   * Commands in a row on one connection to the primary that holds `key`, apart from all others, so that they may block. Rejects when one fails or
   * the connection changes in between; none of the others can have been done on another server than the first.
   */
  sendInRow(key: string, commands: readonly RedisCommand[]): Promise<readonly RedisReply[]>

  /** Every primary, for what concerns whole servers: SCAN, INFO. */
  primaries(): Promise<readonly Primary[]>

  /** Resolves when the subscription stands. `lost`: it stands again after a while in which messages may have been missed. */
  subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>>

  /** Lets go once everything that was sent is answered. */
  close(): Promise<void>

  /** Lets go at once: what is under way, a command that blocks too, rejects. */
  destroy(): void
}
