import { SyncError } from '@godwit/protocol'
import { createClient } from 'redis'
import type { RedisAddress } from '../address.js'
import { answerInTime } from '../answer-in-time.js'
import { socketOptions, WELCOME } from './node-options.js'

export type SentinelNode = RedisAddress['nodes'][number]

/** A sentinel says something so often, in milliseconds: one that hangs is noticed by its silence. */
const PULSE = 1_000

/** What a sentinel tells everybody when another server is the primary: its name, the address before, the address now. */
const SWITCH_CHANNEL = '+switch-master'

/** Those who know where the primary is. One at a time is listened to, and asked. */
export class Sentinels {
  readonly #address: RedisAddress
  readonly #onChange: () => void
  #nodeIndex = 0
  #present: { readonly client: SentinelClient; readonly listens: Promise<void> } | undefined

  /** `changed`: the primary may be another one; or the sentinel that would say so is gone, and the next one is to be asked. */
  constructor(address: RedisAddress, changed: () => void) {
    this.#address = address
    this.#onChange = changed
  }

  /** Where the primary is. Rejects when none of them answers and knows. */
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

  /** Lets go of the one that is listened to. */
  destroy(): void {
    this.#present?.client.destroy()
    this.#present = undefined
  }

  async #ask(): Promise<SentinelNode> {
    this.#present ??= this.#open()
    const { client, listens } = this.#present
    // From then on nothing is missed that happens after the answer.
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

/** In this version of Redis' protocol, who listens may ask as well. */
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
