import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dice } from '../simulator/world/dice.js'
import { SOURCES, type SourceName } from './sources.js'

export type ScriptedAttributes = Readonly<Record<string, unknown>>

/** A call from a server. */
export interface ScriptedCall {
  readonly operation: 'query' | 'create' | 'update' | 'delete'
  readonly source: SourceName
  readonly partition: string
  /** The server process that calls. */
  readonly server: string
  readonly key: string
  readonly object: string
  /** The attributes written; none for a removal. */
  readonly attributes?: ScriptedAttributes
}

/** A write that the backend performed, once for each time. */
export type AppliedWrite = Omit<ScriptedCall, 'operation'> & { readonly operation: 'create' | 'update' | 'delete' }

type Fate = 'works' | 'fails' | 'refuses' | 'loses'

const WEIGHTS = { works: 88, fails: 4, refuses: 2, loses: 6 } as const

/** The backend of all sources, called over HTTP by servers that may be killed meanwhile. */
export class ScriptedBackend {
  readonly deeds: AppliedWrite[] = []
  /** Runs between a call's effect and its answer. Default: nothing. */
  hold: (requested: ScriptedCall) => Promise<void> = async () => undefined
  /** Decides the backend's failures. Undefined: it does not fail. */
  moods: Dice | undefined
  readonly url: string
  readonly close: () => Promise<void>
  readonly #objects = new Map<string, Map<string, ScriptedAttributes>>()
  readonly #answers = new Map<string, unknown>()

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url
    this.close = close
  }

  static async open(): Promise<ScriptedBackend> {
    const server = createServer((request, response) => {
      void bodyOf(request).then(async body => {
        const operation = request.url?.slice(1) as ScriptedCall['operation']
        const { status, value } = await backend.#answer({ ...(JSON.parse(body) as ScriptedCall), operation })
        if (status === 0) response.destroy()
        else response.writeHead(status, { connection: 'close' }).end(status === 422 ? value : JSON.stringify(value))
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const close = () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    }
    const backend = new ScriptedBackend(`http://127.0.0.1:${port}`, close)
    return backend
  }

  /** Changes an object without telling the server; undefined removes it. */
  put(source: SourceName, partition: string, object: string, attributes: ScriptedAttributes | undefined): void {
    if (attributes === undefined) this.#of(source, partition).delete(object)
    else this.#of(source, partition).set(object, attributes)
  }

  objects(source: SourceName, partition: string): Readonly<Record<string, ScriptedAttributes>> {
    return Object.fromEntries(this.#of(source, partition))
  }

  #of(source: SourceName, partition: string): Map<string, ScriptedAttributes> {
    const name = `${source} ${partition}`
    const objects = this.#objects.get(name) ?? new Map<string, ScriptedAttributes>()
    this.#objects.set(name, objects)
    return objects
  }

  async #answer(requested: ScriptedCall): Promise<{ readonly status: number; readonly value: unknown }> {
    const fate: Fate = this.moods?.weighted(WEIGHTS) ?? 'works'
    if (this.moods) await new Promise(resolve => setTimeout(resolve, this.moods?.below(40)))
    if (fate === 'fails') return { status: 500, value: 'not now' }
    if (fate === 'refuses' && requested.operation !== 'query') return { status: 422, value: 'It is not wanted.' }
    const done = this.#carryOut(requested)
    await this.hold(requested)
    return fate === 'loses' ? { status: 0, value: undefined } : done
  }

  #carryOut(requested: ScriptedCall): { readonly status: number; readonly value: unknown } {
    const { operation, source, partition, key, object } = requested
    if (operation === 'query') return { status: 200, value: this.objects(source, partition) }
    const name = `${source} ${partition} ${key}`
    if (SOURCES[source].idempotent && this.#answers.has(name)) return { status: 200, value: this.#answers.get(name) }
    if (operation !== 'create' && !this.#of(source, partition).has(object))
      return { status: 422, value: `There is no ${object}.` }
    const id = operation === 'create' ? `${source}-${this.deeds.length + 1}` : object
    const present = this.#of(source, partition).get(id) ?? {}
    this.put(source, partition, id, operation === 'delete' ? undefined : { ...present, ...requested.attributes })
    this.deeds.push({ ...requested, operation, object: id })
    this.#answers.set(name, id)
    return { status: 200, value: id }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += part
  return body
}
