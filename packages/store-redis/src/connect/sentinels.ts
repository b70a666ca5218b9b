import { SyncError } from '@godwit/protocol'
import { createClient } from 'redis'
import type { RedisAddress } from '../address.js'
import { answerInTime } from '../answer-in-time.js'
import { socketOptions, WELCOME } from './node-options.js'

export type SentinelNode = RedisAddress['nodes'][number]

/** Milliseconds between pings of a sentinel; one that hangs is detected by the missing reply. */
const PULSE = 1_000

/** The channel on which a sentinel announces a new primary: its name, old address and new address. */
const SWITCH_CHANNEL = '+switch-master'

/** The sentinels, which know the primary's address. One at a time is subscribed to and queried. */
export class Sentinels {
  readonly #address: RedisAddress
  readonly #onChange: () => void
  #nodeIndex = 0
  #present: { readonly client: SentinelClient; readonly listens: Promise<void> } | undefined

  /** `changed` is called when the primary may have changed, or when the connection to the sentinel is lost. */
  constructor(address: RedisAddress, changed: () => void) {
    this.#address = address
    this.#onChange = changed
  }

  /** Returns the primary's address. Rejects when no sentinel knows it. */
  async primary(): Promise<SentinelNode> {
    let reason: unknown
    for (const _ of this.#address.nodes) {
      try {
        return await answerInTime(this.#ask(), WELCOME)
      } catch (error) {
        reason = error
        this.destroy()
        this.#nodeIndex++
      }
    }
    throw reason
  }

  /** Disconnects from the present sentinel. */
  destroy(): void {
    this.#present?.client.destroy()
    this.#present = undefined
  }

  async #ask(): Promise<SentinelNode> {
    this.#present ??= this.#open()
    const { client, listens } = this.#present
    // Subscribe before the query, so that no later change is missed.
    await listens
    const name = this.#address.service ?? ''
    const answer = await client.sendCommand<[string, string] | null>(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
    if (answer === null)
      throw new SyncError(
        'store_unavailable',
        `A sentinel knows no primary of the name ${name}: name one that it watches.`,
      )
    const [host, port] = answer
    return { host, port: Number(port) }
  }

  #open() {
    const { nodes, service } = this.#address
    const client = clientOf(this.#address, nodes[this.#nodeIndex % nodes.length] as SentinelNode)
    client.on('terminated', () => {
      if (this.#present?.client !== client) return
      this.#present = undefined
      this.#onChange()
    })
    const listen = async () => {
      await client.connect()
      await client.subscribe(SWITCH_CHANNEL, message => {
        if (message.startsWith(`${service} `)) this.#onChange()
      })
    }
    return { client, listens: listen() }
  }
}

/** Redis protocol 3 allows commands on a subscribed connection. */
const clientOf = (address: RedisAddress, node: SentinelNode) =>
  createClient({
    RESP: 3,
    ...credentialsOf(address),
    maintNotifications: 'disabled',
    pingInterval: PULSE,
    socket: { ...socketOptions(address), ...node, socketTimeout: 2 * PULSE, reconnectStrategy: false },
  }).on('error', () => undefined)

const credentialsOf = ({ sentinelUsername: username, sentinelPassword: password }: RedisAddress) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
})

type SentinelClient = ReturnType<typeof clientOf>
