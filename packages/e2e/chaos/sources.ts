import { defineModel, t } from '@godwit/model'

/** The sources of harness/configs/scripted.mjs. */
export const SOURCES = {
  Safe: { partition: 'user', idempotent: true },
  Unsafe: { partition: 'user', idempotent: false },
  Board: { partition: 'app', idempotent: true },
} as const

export type SourceName = keyof typeof SOURCES

export const SOURCE_NAMES = Object.keys(SOURCES) as readonly SourceName[]

const attributes = { note: t.string().optional(), count: t.integer().optional() }

export const models = {
  Safe: defineModel('Safe', { sync: 'incremental', attributes }),
  Unsafe: defineModel('Unsafe', { sync: 'incremental', storage: 'fixed', attributes }),
  Board: defineModel('Board', { partition: 'app', sync: 'incremental', attributes }),
}

/** The partition as the source sees it. */
export const partitionOf = (source: SourceName, login: string): string =>
  SOURCES[source].partition === 'app' ? '*' : login
