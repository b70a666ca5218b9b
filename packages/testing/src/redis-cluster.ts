import { createConnection } from 'node:net'
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
    await Promise.all(others.map(node => ask(node, `CLUSTER MEET 127.0.0.1 ${first?.port} ${first?.bus}`)))
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
  await ask(node, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
  await ask(node, `CLUSTER ADDSLOTSRANGE ${from} ${to - 1}`)
}

/** They need about two seconds before the first of them takes writes. */
async function untilComplete(node: Node): Promise<void> {
  for (;;) {
    const facts = await ask(node, 'CLUSTER INFO')
    const isKnown = facts.includes(`cluster_known_nodes:${MASTERS}\r`) && facts.includes(`cluster_size:${MASTERS}\r`)
    if (isKnown && facts.includes('cluster_state:ok')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** One command and all that is answered to it, as text. */
function ask({ port }: Pick<RunningRedis, 'port'>, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`))
    socket.setEncoding('utf8').on('data', text => {
      answer += text
    })
    socket.once('error', reject).once('end', () => {
      socket.end()
      if (answer.startsWith('-')) reject(new Error(`${command}: ${answer.trim()}`))
      else resolve(answer)
    })
  })
}
