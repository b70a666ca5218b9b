import { createHash } from 'node:crypto'
import type { SqliteHandle } from '../sqlite-handle.js'

// SQLite's own tables have names that begin with `sqlite_`: statistics and counters.
const SELECT_SCHEMA = `SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`

/** A hash of the tables, indexes and triggers that a file really has; empty for a file without any. Comments and white space do not count. */
export function fingerprintOf(handle: SqliteHandle): string {
  const rows = handle.prepare(SELECT_SCHEMA).all() as readonly { readonly sql: string }[]
  if (rows.length === 0) return ''
  const text = rows.map(({ sql }) => normalized(sql)).join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

const COMMENTS = /('[^']*'|"[^"]*")|--[^\n]*|\/\*[\s\S]*?\*\//g
const SPACES = /('[^']*'|"[^"]*")|\s*([(),])\s*|\s+/g

const normalized = (sql: string): string =>
  sql
    .replace(COMMENTS, (_, quoted?: string) => quoted ?? ' ')
    .replace(SPACES, (_, quoted?: string, punctuation?: string) => quoted ?? punctuation ?? ' ')
    .trim()
