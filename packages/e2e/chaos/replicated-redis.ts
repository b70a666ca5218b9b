import { askRedis, type RunningRedis, startRedis, startRedisSentinel } from '@godwit/testing'
import type { Dice } from '../simulator/world/dice.js'
import type { Disturbance } from './history.js'

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 50))

/** A primary, its replica and a sentinel; trouble swaps the roles. */
export class ReplicatedRedis implements Disturbance {
  /** Descriptions of what happened. */
  readonly happened: string[] = []
  readonly #sentinel: RunningRedis
  #servers: readonly RunningRedis[]
  #over: Promise<void> | undefined

  private constructor(sentinel: RunningRedis, servers: readonly RunningRedis[]) {
    this.#sentinel = sentinel
    this.#servers = servers
  }

  static async start(): Promise<ReplicatedRedis> {
    const primary = await startRedis()
    const replica = await startRedis({ replicaof: `127.0.0.1 ${primary.port}` })
    const redis = new ReplicatedRedis(await startRedisSentinel(primary), [primary, replica])
    await redis.#untilReplicated()
    return redis
  }

  get address(): string {
    return `redis-sentinel://127.0.0.1:${this.#sentinel.port}/main`
  }

  /** Starts a take-over: by command, or by killing the primary, which returns empty as a replica. Does not wait for it. */
  async next(dice: Dice): Promise<void> {
    const kills = dice.chance(0.5)
    if (this.#over || !(await this.#isReplicated())) return
    this.#over = (kills ? this.#kill() : this.#ask()).finally(() => {
      this.#over = undefined
    })
  }

  async #ask(): Promise<void> {
    const before = await this.#primary()
    await askRedis(this.#sentinel, 'SENTINEL FAILOVER main')
    this.happened.push('asked')
    while ((await this.#primary()) === before) await pause()
  }

  async #kill(): Promise<void> {
    const before = await this.#primary()
    const [killed, other] = this.#servers.toSorted(({ port }) => (port === before ? -1 : 1)) as [
      RunningRedis,
      RunningRedis,
    ]
    this.happened.push('killed')
    await killed.stop()
    while ((await this.#primary()) === before) await pause()
    this.#servers = [other, await startRedis({ port: `${before}`, replicaof: `127.0.0.1 ${other.port}` })]
  }

  async end(): Promise<void> {
    await this.#over
  }

  async stop(): Promise<void> {
    await this.#sentinel.stop()
    await Promise.all(this.#servers.map(server => server.stop()))
  }

  async #primary(): Promise<number> {
    const answer = await askRedis(this.#sentinel, 'SENTINEL get-master-addr-by-name main')
    return Number(/\r\n(\d{2,5})\r\n/.exec(answer)?.[1])
  }

  /** Whether the sentinel knows of a replica that could take over. */
  async #isReplicated(): Promise<boolean> {
    const port = await this.#primary()
    const known = await askRedis(this.#sentinel, 'SENTINEL replicas main')
    const facts = await askRedis({ port }, 'INFO replication').catch(() => '')
    return (
      known.includes('master-link-status\r\n$2\r\nok') &&
      facts.includes('role:master') &&
      facts.includes('state=online')
    )
  }

  async #untilReplicated(): Promise<void> {
    while (!(await this.#isReplicated())) await pause()
  }
}
