import type { SourceChange, SourceInfo } from '@godwit/admin-client'
import { type FieldErrors, wholeNumberError } from '../../parts/field-errors.js'

const NUMBERS = ['poll_interval', 'sync_priority', 'retry_limit'] as const

/** Settings as form values, which are text. */
export interface Fields {
  readonly poll_interval: string
  readonly sync_type: string
  readonly sync_priority: string
  readonly retry_limit: string
  readonly queue: string
  readonly push_notify: string
}

export const fieldsOf = (source: SourceInfo): Fields => ({
  poll_interval: String(source.poll_interval),
  sync_type: source.sync_type,
  sync_priority: String(source.sync_priority),
  retry_limit: String(source.retry_limit),
  queue: source.queue ?? '',
  push_notify: String(source.push_notify),
})

export const LABELS = {
  poll_interval: 'Interval',
  sync_type: 'Delivery',
  sync_priority: 'Priority',
  retry_limit: 'Retry limit',
  queue: 'Queue',
  push_notify: 'After a push by the backend',
} as const satisfies { readonly [Name in keyof Fields]: string }

const MAX = 1_000_000_000
const BOUNDS = {
  poll_interval: { min: -1, max: MAX },
  sync_priority: { min: 1, max: MAX },
  retry_limit: { min: 0, max: 1000 },
} as const

/** Returns what is wrong with the typed values, as the server would judge them. */
export const errorsIn = (fields: Fields): FieldErrors =>
  Object.fromEntries(
    NUMBERS.map(name => [name, wholeNumberError(LABELS[name], fields[name], BOUNDS[name])] as const).filter(
      ([, error]) => error !== undefined,
    ),
  )

/** Returns only the settings that differ. */
export function changeOf(source: SourceInfo, fields: Fields): SourceChange {
  const before = fieldsOf(source)
  const changed = (name: keyof Fields): boolean => fields[name] !== before[name]
  return {
    ...Object.fromEntries(NUMBERS.filter(changed).map(name => [name, Number(fields[name])])),
    ...(changed('sync_type') && { sync_type: fields.sync_type as SourceInfo['sync_type'] }),
    ...(changed('queue') && { queue: fields.queue.trim() || null }),
    ...(changed('push_notify') && { push_notify: fields.push_notify === 'true' }),
  }
}

/** Describes each change in one line: old and new value. */
export const linesOf = (source: SourceInfo, change: SourceChange): readonly string[] =>
  Object.entries(change).map(([name, value]) => {
    const before = source[name as keyof SourceInfo]
    return `${LABELS[name as keyof Fields]}: ${before ?? 'none'} → ${value ?? 'none'}`
  })
