import { askRedis } from './ask-redis.js'
import { freePort } from './free-port.js'
import { type RunningRedis, startRedis } from './redis.js'

export interface RunningCluster {
  /** As the store's address: `redis-cluster://h1:p1,h2:p2,h3:p3`. */
  readonly url: string
  readonly nodes: readonly RunningRedis[]
  stop(): Promise<void>
}

const SLOTS = 16_384
const MASTERS = 3

interface Node extends RunningRedis {
  readonly bus: number
}

/** Three masters on loopback that share all slots; with `replicated`, each has a replica, which take the places after them. */
export async function startRedisCluster({ replicated = false } = {}): Promise<RunningCluster> {
  const nodes = await Promise.all(Array.from({ length: replicated ? 2 * MASTERS : MASTERS }, startNode))
  const stop = async () => void (await Promise.all(nodes.map(node => node.stop())))
  try {
    await Promise.all(nodes.slice(0, MASTERS).map(takeSlots))
    const [first, ...others] = nodes
    await Promise.all(others.map(node => askRedis(node, `CLUSTER MEET 127.0.0.1 ${first?.port} ${first?.bus}`)))
    await Promise.all(nodes.map(node => untilComplete(node, nodes.length)))
    await Promise.all(nodes.slice(MASTERS).map((replica, at) => follow(replica, nodes[at] as Node)))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, stop }
}

const ATTEMPTS = 3

/** Somebody else may take the port that its nodes meet at as well: then it is tried at another. */
async function startNode(): Promise<Node> {
  for (let attempt = 1; ; attempt++) {
    const bus = await freePort()
    const settings = { 'cluster-enabled': 'yes', 'cluster-port': `${bus}`, 'cluster-node-timeout': '15000' }
    const started = await startRedis(settings).catch(error => (attempt < ATTEMPTS ? undefined : Promise.reject(error)))
    if (started) return { ...started, bus }
  }
}

async function takeSlots(node: Node, index: number): Promise<void> {
  const [from, to] = [index, index + 1].map(share => Math.round((share * SLOTS) / MASTERS)) as [number, number]
  await askRedis(node, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
  await askRedis(node, `CLUSTER ADDSLOTSRANGE ${from} ${to - 1}`)
}

/** They need about two seconds before the first of them takes writes. */
async function untilComplete(node: Node, count: number): Promise<void> {
  for (;;) {
    const facts = await askRedis(node, 'CLUSTER INFO')
    const isKnown = facts.includes(`cluster_known_nodes:${count}\r`) && facts.includes(`cluster_size:${MASTERS}\r`)
    if (isKnown && facts.includes('cluster_state:ok')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function follow(replica: Node, master: Node): Promise<void> {
  const id = /[0-9a-f]{40}/.exec(await askRedis(master, 'CLUSTER MYID'))?.[0]
  await askRedis(replica, `CLUSTER REPLICATE ${id}`)
  while (!(await askRedis(replica, 'INFO replication')).includes('master_link_status:up'))
    await new Promise(resolve => setTimeout(resolve, 50))
}
