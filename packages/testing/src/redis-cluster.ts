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

/** Three masters on loopback that share all slots. */
export async function startRedisCluster(): Promise<RunningCluster> {
  const nodes = await Promise.all(Array.from({ length: MASTERS }, startNode))
  const stop = async () => void (await Promise.all(nodes.map(node => node.stop())))
  try {
    await Promise.all(nodes.map(takeSlots))
    const [first, ...others] = nodes
    await Promise.all(others.map(node => askRedis(node, `CLUSTER MEET 127.0.0.1 ${first?.port} ${first?.bus}`)))
    await Promise.all(nodes.map(untilComplete))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, stop }
}

async function startNode(): Promise<Node> {
  const bus = await freePort()
  const settings = { 'cluster-enabled': 'yes', 'cluster-port': `${bus}`, 'cluster-node-timeout': '15000' }
  return { ...(await startRedis(settings)), bus }
}

async function takeSlots(node: Node, index: number): Promise<void> {
  const [from, to] = [index, index + 1].map(share => Math.round((share * SLOTS) / MASTERS)) as [number, number]
  await askRedis(node, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
  await askRedis(node, `CLUSTER ADDSLOTSRANGE ${from} ${to - 1}`)
}

/** They need about two seconds before the first of them takes writes. */
async function untilComplete(node: Node): Promise<void> {
  for (;;) {
    const facts = await askRedis(node, 'CLUSTER INFO')
    const isKnown = facts.includes(`cluster_known_nodes:${MASTERS}\r`) && facts.includes(`cluster_size:${MASTERS}\r`)
    if (isKnown && facts.includes('cluster_state:ok')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
