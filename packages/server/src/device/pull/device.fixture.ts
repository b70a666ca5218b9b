import { Checksum, type Page } from '@godwit/protocol'
import type { ClientRecord } from '../../accounts/users/client-record.js'
import type { TestEngine } from '../../testing/engine.fixture.js'
import { pull } from './pull.js'

/** A minimal device: it stores rows and token in one step, as docs/protocol.md requires. */
export class MinimalDevice {
  readonly rows = new Map<string, { readonly value: string; readonly version: number; readonly pass: string }>()
  token: string | undefined
  epoch: string | undefined
  readonly pages: Page[] = []

  apply(page: Page): void {
    this.pages.push(page)
    if (this.epoch !== page.epoch) this.epoch = page.epoch
    for (const id of page.delete ?? []) this.rows.delete(id)
    for (const [id, attributes] of Object.entries(page.insert ?? {})) {
      this.rows.set(id, { value: JSON.stringify(attributes), version: page.versions?.[id] ?? 0, pass: page.pass })
    }
    if (page.ends && page.status === 'resync') {
      for (const [id, row] of this.rows) if (row.pass !== page.pass) this.rows.delete(id)
    }
    this.token = page.token
  }

  checksum(): string {
    const sum = new Checksum()
    for (const [id, { version }] of this.rows) sum.add(id, version)
    return sum.toString()
  }

  objects(): Record<string, unknown> {
    return Object.fromEntries([...this.rows].map(([id, { value }]) => [id, JSON.parse(value)]))
  }
}

export async function ask(
  engine: TestEngine,
  source: string,
  client: ClientRecord,
  token: string | undefined,
  pageSize: number,
): Promise<Page> {
  const { text } = await pull(engine, { source, user: client.user, client, token, pageSize, acknowledged: 0 })
  return JSON.parse(text) as Page
}

/** Pulls until the pass ends. */
export async function catchUp(
  engine: TestEngine,
  device: MinimalDevice,
  source: string,
  client: ClientRecord,
  pageSize = 2,
): Promise<Page> {
  for (;;) {
    const page = await ask(engine, source, client, device.token, pageSize)
    device.apply(page)
    if (!page.more) return page
  }
}
