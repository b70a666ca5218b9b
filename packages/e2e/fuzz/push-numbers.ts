import { CLIENT_ID_HEADER, type JsonValue } from '@godwit/protocol'
import type { Dice } from '../simulator/world/dice.js'
import type { RawRequest } from './send.js'

interface NextNumber {
  readonly epoch: string
  next: number
}

const PULLED = /^\/app\/v1\/([^/?]+)(\/versions)?(\?|$)/

/** Where each device stands with its mutations, so that most pushes go on where the last one ended and reach the backend. */
export class PushNumbers {
  readonly #devices = new Map<string, NextNumber>()

  /** Notes the epoch that a device hears of. */
  learn({ method, address, headers }: RawRequest, answer: unknown): void {
    const [, source] = PULLED.exec(address) ?? []
    const { epoch } = answer as { readonly epoch?: string }
    if (method !== 'GET' || source === undefined || epoch === undefined) return
    const name = nameOf(headers, source)
    if (this.#devices.get(name)?.epoch !== epoch) this.#devices.set(name, { epoch, next: 1 })
  }

  /** The push with the epoch that the device knows, consecutive numbers and fresh keys; unchanged where the device knows no epoch. */
  continued(push: JsonValue, headers: RawRequest['headers'], address: string, dice: Dice): JsonValue {
    const [, source = ''] = PULLED.exec(address) ?? []
    const device = this.#devices.get(nameOf(headers, source))
    const { mutations, ...rest } = push as { readonly mutations?: JsonValue }
    if (!device || !Array.isArray(mutations)) return push
    const numbered = mutations.map((mutation, at) => ({
      ...(mutation as { readonly [name: string]: JsonValue }),
      number: device.next + at,
      key: `key-${dice.id()}`.padEnd(16, '-'),
    }))
    if (dice.chance(0.8)) device.next += numbered.length
    return { ...rest, epoch: device.epoch, acknowledged: 0, mutations: numbered }
  }
}

const nameOf = (headers: RawRequest['headers'], source: string): string => `${headers[CLIENT_ID_HEADER]} ${source}`
