import { Checksum } from '@godwit/protocol'
import type { ChangeRow, Changes, ReadPosition } from '../../collections.js'
import { sure } from '../suite.js'

/** Reader faults that the property must detect, one at a time. */
export type Fault =
  | 'skipEveryTombstoneFromZero'
  | 'compareFloorWithPosition'
  | 'ignoreMarks'
  | 'moveBaseWithEachPage'
  | 'keepRowsOfOtherPasses'

/** The position of a device, as in the server's token. */
export interface ModelToken extends ReadPosition {
  readonly pass: string
  readonly nonce: number
  readonly resync: boolean
}

export interface ModelPage {
  readonly rows: readonly ChangeRow[]
  readonly ends: boolean
  readonly pass: string
  readonly resync: boolean
  readonly checksum: string
  readonly token: ModelToken
}

/** Converts one read of changes to a page with the token that continues after it. */
export function pageOf(
  changes: Changes,
  asked: { token: ModelToken | undefined; nonce: number; limit: number; newPass: string; fault: Fault | undefined },
): ModelPage {
  const { head, fromZero } = changes
  const began = { base: 0, start: head.version, pass: asked.newPass, resync: asked.token !== undefined }
  const standing = fromZero ? began : sure(asked.token)
  const ends = !changes.more
  const isSkipped = (row: ChangeRow) =>
    asked.fault === 'skipEveryTombstoneFromZero' && standing.base === 0 && row.text === null
  const last = changes.rows.at(-1)
  const base = asked.fault === 'moveBaseWithEachPage' ? (last?.version ?? 0) : standing.base
  const next = ends
    ? { base: head.version, start: 0, resync: false, after: { version: head.version + 1, id: '' } }
    : { base, start: standing.start, resync: standing.resync, after: sure(last) }
  const { pass, resync } = standing
  const read = { epoch: head.epoch, head: head.version, mark: head.mark, nonce: asked.nonce }
  const rows = changes.rows.filter(row => !isSkipped(row))
  return { rows, ends, pass, resync, checksum: head.checksum, token: { ...next, ...read, pass } }
}

export const DEVICES = 2

/** A device's copy of one collection. */
export class ModelDevice {
  token: ModelToken | undefined
  nonce = 0
  readonly #rows = new Map<string, ChangeRow & { readonly pass: string }>()

  /** Applies rows and token in one transaction. */
  apply(page: ModelPage, fault: Fault | undefined): void {
    for (const row of page.rows) {
      if (row.text === null) this.#rows.delete(row.id)
      else this.#rows.set(row.id, { ...row, pass: page.pass })
    }
    if (page.ends && page.resync && fault !== 'keepRowsOfOtherPasses') this.#removeOtherPasses(page.pass)
    this.token = page.token
  }

  #removeOtherPasses(pass: string): void {
    for (const [id, row] of this.#rows) if (row.pass !== pass) this.#rows.delete(id)
  }

  get checksum(): string {
    const sum = new Checksum()
    for (const { id, version } of this.#rows.values()) sum.add(id, version)
    return sum.toString()
  }

  rows(): readonly ChangeRow[] {
    return [...this.#rows.values()].map(({ id, version, text }) => ({ id, version, text }))
  }
}
