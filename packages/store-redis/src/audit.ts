import type { Audit, AuditRow } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { appendAuditScript } from './scripts/audit.js'

export function redisAudit(connection: RedisConnection): Audit {
  const naming = connection.keys.audit
  const head: Audit['head'] = async () => {
    const [number, hash] = (await connection.command(naming('head'), 'HMGET', 'number', 'hash')) as readonly string[]
    return number && hash !== undefined ? { number: Number(number), hash } : undefined
  }
  return {
    append: async rows => {
      const [first, last] = [rows[0], rows.at(-1)]
      if (!first || !last) return true
      const texts = rows.map(({ text, hash }) => JSON.stringify([text, hash]))
      return (await connection.run(appendAuditScript, naming, [first.number, last.number, last.hash, ...texts])) === 1
    },
    head,
    list: async ({ before = Number.MAX_SAFE_INTEGER, limit }) => {
      const end = Math.min(before - 1, (await head())?.number ?? 0)
      const start = Math.max(0, end - limit)
      if (end <= start) return []
      const texts = (await connection.command(naming('rows'), 'LRANGE', start, end - 1)) as readonly string[]
      return texts.map((text, at) => rowOf(start + at + 1, text)).reverse()
    },
  }
}

function rowOf(number: number, json: string): AuditRow {
  const [text, hash] = JSON.parse(json) as readonly [string, string]
  return { number, text, hash }
}
