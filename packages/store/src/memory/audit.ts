import type { Audit, AuditRow } from '../audit.js'

export function memoryAudit(): Audit {
  const kept: AuditRow[] = []
  return {
    append: async rows => {
      if ((rows[0]?.number ?? kept.length + 1) !== kept.length + 1) return false
      kept.push(...rows)
      return true
    },
    head: async () => {
      const last = kept.at(-1)
      return last && { number: last.number, hash: last.hash }
    },
    list: async ({ before = kept.length + 1, limit }) => {
      const end = Math.max(0, Math.min(before - 1, kept.length))
      return kept.slice(Math.max(0, end - limit), end).reverse()
    },
  }
}
