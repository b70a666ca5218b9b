import type { ReplicaCounts } from '@godwit/store'
import { answerInTime } from './answer-in-time.js'
import type { RedisHandle, RedisReply } from './redis-handle.js'

/** Milliseconds to wait for replicas to confirm. */
const LAG = 1_000
/** Milliseconds to wait for the reply, including a connection attempt. */
const CONNECT_TIMEOUT = 3_000

/** An online replica, with the seconds since its last acknowledgement; replicas send one every second. */
const ONLINE_REPLICA = /^slave\d+:.*state=online.*lag=(\d+)/gm

/** A write, with the state of the server that the script saw. */
export interface ReplicatedWrite {
  /** A key on the same server as the write. Checking overwrites it, and it expires by itself. */
  readonly key: string
  /** The replication id of the primary, which changes with a restart or failover. */
  readonly lineage: string
  /** True if the primary has replicas or recently had: a missing replica may have been promoted instead. */
  readonly isFollowed: boolean
}

/** Checks whether replicas have a write. Checks of one server run one at a time; callers that arrive during one share the next. */
export class Replicas {
  readonly #handle: Pick<RedisHandle, 'sendInRow'>
  readonly #replicasWanted: number | undefined
  /** By lineage: the last check, running or queued, and the queued check that has not started. */
  readonly #last = new Map<string, Promise<boolean>>()
  readonly #next = new Map<string, Promise<boolean>>()

  constructor(handle: Pick<RedisHandle, 'sendInRow'>, wanted: number | undefined) {
    this.#handle = handle
    this.#replicasWanted = wanted
  }

  /** False if waiting for replicas is disabled. */
  get mustConfirm(): boolean {
    return this.#replicasWanted !== 0
  }

  /** True if enough replicas confirmed the write within a second. False also if the server is another one by now. */
  async have({ key, lineage, isFollowed }: ReplicatedWrite): Promise<boolean> {
    const wanted = this.#replicasWanted ?? (isFollowed ? 1 : 0)
    if (wanted === 0) return true
    const next = this.#next.get(lineage) ?? this.#queue(lineage, () => this.#ask(key, lineage, wanted))
    return next
  }

  /** Returns the counts of the primary that lacks most replicas, from the INFO texts; undefined if no primary needs any. */
  measured(facts: readonly string[]): ReplicaCounts | undefined {
    return facts
      .map(text => ({
        wanted: this.#replicasWanted ?? (text.includes('repl_backlog_active:1') ? 1 : 0),
        present: [...text.matchAll(ONLINE_REPLICA)].filter(([, seconds]) => Number(seconds) * 1000 <= CONNECT_TIMEOUT)
          .length,
      }))
      .filter(({ wanted }) => wanted > 0)
      .toSorted((one, other) => one.present - one.wanted - (other.present - other.wanted))[0]
  }

  #queue(lineage: string, ask: () => Promise<boolean>): Promise<boolean> {
    const confirmation = (this.#last.get(lineage) ?? Promise.resolve(true)).then(() => {
      this.#next.delete(lineage)
      return ask()
    })
    this.#next.set(lineage, confirmation)
    this.#last.set(lineage, confirmation)
    void confirmation.then(() => {
      if (this.#last.get(lineage) === confirmation) this.#last.delete(lineage)
    })
    return confirmation
  }

  /**
   * Writes a key and waits for its replication. Replicas apply writes in order, so they then have the earlier write as well, provided that the
   * lineage is the same.
   */
  async #ask(key: string, lineage: string, wanted: number): Promise<boolean> {
    const confirmation = this.#handle.sendInRow(key, [
      ['SET', key, '', 'EX', '60'],
      ['INFO', 'replication'],
      ['WAIT', `${wanted}`, `${LAG}`],
    ])
    // Without a reply the number of replicas is unknown, so the result is false.
    const [, facts, confirmed] = await answerInTime(confirmation, CONNECT_TIMEOUT).catch(
      (): readonly RedisReply[] => [],
    )
    return String(facts).includes(`master_replid:${lineage}`) && Number(confirmed) >= wanted
  }
}
