import { randomUUID } from 'node:crypto'
import { CLIENT_ID_HEADER, type Page, type PushOutcomes } from '@godwit/protocol'
import { item } from '../objects.js'
import type { Connection } from '../systems/connection.js'
import type { DeviceConnection } from './device-connection.js'
import { EventStream } from './event-stream.js'

type Source = 'Shared' | 'Own'

/** A device that uses the protocol directly and stores only its pull token. */
export class LoadDevice {
  readonly #url: string
  readonly #login: string
  #headers = ''
  readonly #tokens: Record<Source, string> = { Shared: '', Own: '' }
  #epoch = ''
  #sent = 0
  #acknowledged = 0
  #stream: EventStream | undefined
  /** Number of requests made. */
  requests = 0
  /** Number of objects received. */
  rows = 0

  constructor(url: string, login: string) {
    this.#url = url
    this.#login = login
  }

  /** Logs in, registers a client and syncs everything. Throws unless it received `objects` shared objects. */
  join(line: DeviceConnection, objects: number): Promise<void> {
    return line.over(this.#url, async connection => {
      const user = { login: this.#login, password: this.#login }
      const { session } = await this.#ask<{ session: string }>(connection, 'POST', '/rc/v1/app/login', user)
      this.#headers = `Authorization: Bearer ${session}\r\n`
      const { client } = await this.#ask<{ client: { client_id: string } }>(connection, 'POST', '/rc/v1/clients', {})
      this.#headers += `${CLIENT_ID_HEADER}: ${client.client_id}\r\n`
      await this.#expect(connection, objects)
      await this.#pull(connection, 'Own')
    })
  }

  /** Syncs both sources, after creating an object if `writes`. Throws unless `changes` shared objects arrived. */
  sync(line: DeviceConnection, changes: number, writes: boolean): Promise<void> {
    return line.over(this.#url, async connection => {
      if (writes) await this.#push(connection)
      await this.#expect(connection, changes)
      await this.#pull(connection, 'Own')
    })
  }

  async listen(): Promise<void> {
    this.#stream = await EventStream.open(this.#url, this.#headers)
  }

  /** Waits for the announcement of a change and pulls it. Returns the time of the announcement in milliseconds since 1970. */
  async hear(line: DeviceConnection): Promise<number> {
    if (this.#stream === undefined) throw new Error('The device does not listen.')
    const at = await this.#stream.change()
    await line.over(this.#url, connection => this.#expect(connection, 1))
    return at
  }

  /** Waits for the next heartbeat of its event stream; false if it has none, or the stream ended. */
  async beat(): Promise<boolean> {
    return (await this.#stream?.beat()) ?? false
  }

  close(): void {
    this.#stream?.close()
    this.#stream = undefined
  }

  async #expect(connection: Connection, rows: number): Promise<void> {
    const came = await this.#pull(connection, 'Shared')
    if (came !== rows) throw new Error(`${came} objects came to ${this.#login}, not ${rows}.`)
  }

  async #pull(connection: Connection, source: Source): Promise<number> {
    const acknowledged = source === 'Own' ? this.#acknowledged : 0
    for (let rows = 0; ; ) {
      const token = this.#tokens[source] === '' ? '' : `&token=${this.#tokens[source]}`
      const path = `/app/v1/${source}?p_size=2000&acknowledged=${acknowledged}${token}`
      const page = await this.#ask<Page>(connection, 'GET', path)
      this.#tokens[source] = page.token
      if (source === 'Own') this.#epoch = page.epoch
      rows += page.count
      this.rows += page.count
      if (!page.more) return rows
    }
  }

  async #push(connection: Connection): Promise<void> {
    const number = ++this.#sent
    const { attributes } = item(number)
    const create = { number, key: randomUUID(), operation: 'create', object: randomUUID(), attributes }
    const body = { epoch: this.#epoch, acknowledged: this.#acknowledged, mutations: [create] }
    const { outcomes } = await this.#ask<PushOutcomes>(connection, 'POST', '/app/v1/Own', body)
    const outcome = outcomes.find(one => one.number === number)
    if (outcome?.status !== 'applied') throw new Error(`A new object was not applied: ${JSON.stringify(outcomes)}`)
    this.#acknowledged = outcome.outcome ?? this.#acknowledged
  }

  async #ask<T>(connection: Connection, method: string, path: string, body?: unknown): Promise<T> {
    this.requests++
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const { status, text } = await connection.send(method, path, this.#headers, sent)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as T
  }
}
