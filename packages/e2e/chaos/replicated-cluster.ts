import { askRedis, type RunningCluster, type RunningRedis, startRedisCluster } from '@godwit/testing'
import type { Dice } from '../simulator/world/dice.js'
import type { Disturbance } from './history.js'

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 50))

/** Milliseconds after which the servers of a Cluster consider one of them failed. */
const TIMEOUT = 1_000

/** Milliseconds after which a requested take-over is requested again: Redis gives up silently after five seconds. */
const GIVEN_UP = 6_000

/** Three primaries, each with a replica; trouble swaps the roles within a pair. */
export class ReplicatedCluster implements Disturbance {
  /** Descriptions of what happened. */
  readonly happened: string[] = []
  readonly #cluster: RunningCluster
  #over: Promise<void> | undefined

  private constructor(cluster: RunningCluster) {
    this.#cluster = cluster
  }

  static async start(): Promise<ReplicatedCluster> {
    const cluster = await startRedisCluster({ replicated: true })
    await Promise.all(cluster.nodes.map(node => askRedis(node, `CONFIG SET cluster-node-timeout ${TIMEOUT}`)))
    return new ReplicatedCluster(cluster)
  }

  get address(): string {
    return this.#cluster.url
  }

  /** Starts a take-over: by command, or by pausing the primary, which returns as a replica. Does not wait for it. */
  async next(dice: Dice): Promise<void> {
    const [hangs, pair] = [dice.chance(0.5), dice.below(3)]
    if (this.#over) return
    this.#over = this.#takeOver(pair, hangs).finally(() => {
      this.#over = undefined
    })
  }

  async #takeOver(pair: number, hangs: boolean): Promise<void> {
    const { primary, replica } = await this.#rolesOf(pair)
    this.happened.push(hangs ? 'hangs' : 'asked')
    if (hangs) process.kill(primary.pid, 'SIGSTOP')
    let requested = hangs ? Number.POSITIVE_INFINITY : 0
    while (!(await facts(replica)).includes('role:master')) {
      if (Date.now() - requested > GIVEN_UP) {
        await askRedis(replica, 'CLUSTER FAILOVER')
        requested = Date.now()
      }
      await pause()
    }
    if (hangs) process.kill(primary.pid, 'SIGCONT')
    while (!(await facts(primary)).includes('master_link_status:up')) await pause()
  }

  async #rolesOf(pair: number): Promise<{ readonly primary: RunningRedis; readonly replica: RunningRedis }> {
    const { nodes } = this.#cluster
    const [one, other] = [nodes[pair], nodes[pair + nodes.length / 2]] as [RunningRedis, RunningRedis]
    return (await facts(one)).includes('role:master')
      ? { primary: one, replica: other }
      : { primary: other, replica: one }
  }

  async end(): Promise<void> {
    await this.#over
  }

  stop(): Promise<void> {
    return this.#cluster.stop()
  }
}

const facts = (server: RunningRedis): Promise<string> => askRedis(server, 'INFO replication')
