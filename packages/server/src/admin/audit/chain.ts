import { createHash } from 'node:crypto'
import type { AuditCheck } from '@godwit/protocol'
import type { Audit, AuditHead, AuditRow } from '@godwit/store'
import { numberIn } from './entry.js'

const PAGE = 500

/** The head of an empty audit log. */
const EMPTY_HEAD: AuditHead = { number: 0, hash: '' }

/** The hash of a row, over the hash of the previous row and its text. */
export const linkHash = (before: string, text: string): string =>
  createHash('sha256').update(`${before}\n${text}`).digest('hex')

/** Builds the rows that follow a head; each text function receives the number of its row. */
export function chainRows(
  head: AuditHead = EMPTY_HEAD,
  texts: readonly ((number: number) => string)[],
): readonly AuditRow[] {
  const rows: AuditRow[] = []
  for (const write of texts) {
    const before = rows.at(-1) ?? head
    const text = write(before.number + 1)
    rows.push({ number: before.number + 1, text, hash: linkHash(before.hash, text) })
  }
  return rows
}

/**
 * Checks that no row of the audit log was changed, removed or reordered. Reads pages from the newest row down and compares each hash with the one
 * that the next row was built on.
 */
export async function checkChain(audit: Pick<Audit, 'head' | 'list'>): Promise<AuditCheck> {
  const head = await audit.head()
  let above: AuditRow | undefined
  let checked = 0
  const brokenAt = (number: number, why: 'changed' | 'missing'): AuditCheck => ({
    intact: false,
    checked,
    head: head ?? null,
    broken: { number, why },
  })
  for (let before = (head?.number ?? 0) + 1; before > 1; ) {
    const page = await audit.list({ before, limit: PAGE })
    for (const row of page) {
      if (row.number !== before - 1) return brokenAt(before - 1, 'missing')
      if (above ? !isLinked(above, row) : row.hash !== head?.hash)
        return brokenAt(above?.number ?? row.number, 'changed')
      if (numberIn(row.text) !== row.number) return brokenAt(row.number, 'changed')
      if (above) checked++
      above = row
      before = row.number
    }
    if (page.length === 0) return brokenAt(before - 1, 'missing')
  }
  if (above && !isLinked(above, EMPTY_HEAD)) return brokenAt(above.number, 'changed')
  return { intact: true, checked: head?.number ?? 0, head: head ?? null }
}

const isLinked = ({ hash, text }: AuditRow, before: Pick<AuditRow, 'hash'>): boolean =>
  hash === linkHash(before.hash, text)
