import type { ReplicaCounts } from '@godwit/store'
import { answerInTime } from './answer-in-time.js'
import type { RedisHandle, RedisReply } from './redis-handle.js'

/** Replicas answer within a moment, or they lag. Milliseconds. */
const LAG = 1_000
/** With making a connection. */
const CONNECT_TIMEOUT = 3_000

/** A replica that follows, and how many seconds ago it said how far it is: it does so each second. */
const ONLINE_REPLICA = /^slave\d+:.*state=online.*lag=(\d+)/gm

/** A write, as the script that made it saw the server. */
export interface ReplicatedWrite {
  /** Of the same server as what was written; is written itself, and goes by itself. */
  readonly key: string
  /** Of the server, as long as it is a primary: another one, or the same after a restart, has another. */
  readonly lineage: string
  /** Replicas followed it, now or lately: one that does no more may have taken its place. */
  readonly isFollowed: boolean
}

/** Says whether replicas have what was written: with one question to a server for all who ask while another is under way. */
export class Replicas {
  readonly #handle: Pick<RedisHandle, 'sendInRow'>
  readonly #replicasWanted: number | undefined
  /** By lineage: the question that is under way or comes last, and the one that was not put yet. */
  readonly #last = new Map<string, Promise<boolean>>()
  readonly #next = new Map<string, Promise<boolean>>()

  constructor(handle: Pick<RedisHandle, 'sendInRow'>, wanted: number | undefined) {
    this.#handle = handle
    this.#replicasWanted = wanted
  }

  /** Whether anybody waits for replicas at all. */
  get areAsked(): boolean {
    return this.#replicasWanted !== 0
  }

  /** False: not enough of them within a second, or the server is another one by now. */
  async have({ key, lineage, isFollowed }: ReplicatedWrite): Promise<boolean> {
    const wanted = this.#replicasWanted ?? (isFollowed ? 1 : 0)
    if (wanted === 0) return true
    const next = this.#next.get(lineage) ?? this.#queue(lineage, () => this.#ask(key, lineage, wanted))
    return next
  }

  /** Where there are fewest for what is wanted, by what primaries say of themselves; undefined where none is asked. */
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
    const asked = (this.#last.get(lineage) ?? Promise.resolve(true)).then(() => {
      this.#next.delete(lineage)
      return ask()
    })
    this.#next.set(lineage, asked)
    this.#last.set(lineage, asked)
    void asked.then(() => {
      if (this.#last.get(lineage) === asked) this.#last.delete(lineage)
    })
    return asked
  }

  /** What is written here comes after what was written there, if both are of one lineage: replicas follow in order. */
  async #ask(key: string, lineage: string, wanted: number): Promise<boolean> {
    const asked = this.#handle.sendInRow(key, [
      ['SET', key, '', 'EX', '60'],
      ['INFO', 'replication'],
      ['WAIT', `${wanted}`, `${LAG}`],
    ])
    // Without an answer the number of replicas is unknown.
    const [, facts, confirmed] = await answerInTime(asked, CONNECT_TIMEOUT).catch((): readonly RedisReply[] => [])
    return String(facts).includes(`master_replid:${lineage}`) && Number(confirmed) >= wanted
  }
}
