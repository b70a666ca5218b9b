import { SyncError } from '@godwit/protocol'
import { tagOf } from './plain-values.js'

/**
 * Encodes a reply as text, to answer a repeated call: JSON, with `{ "$": [type, value] }` for values that JSON lacks. Throws `value_not_allowed` for
 * unsupported ones.
 */
export const writeReply = (reply: unknown): string => JSON.stringify(encode(reply))

export const readReply = (text: string): unknown => readValue(JSON.parse(text))

type Members = { readonly [name: string]: unknown }

function encode(value: unknown): unknown {
  if (value === undefined) return withTag('undefined', 0)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : withTag('number', Object.is(value, -0) ? '-0' : String(value))
  if (typeof value === 'bigint') return withTag('bigint', String(value))
  if (typeof value !== 'object') throw notPlainDataError(value)
  if (Array.isArray(value)) return value.map(encode)
  const tag = tagOf(value)
  if (tag === 'Date') return withTag('Date', Number(value))
  if (tag === 'Uint8Array') return withTag('bytes', [...(value as Uint8Array)])
  if (tag === 'Map' || tag === 'Set') return withTag(tag, [...(value as Iterable<unknown>)].map(encode))
  if (tag !== 'Object') throw notPlainDataError(value)
  const members = Object.entries(value).map(([name, member]) => [name, encode(member)] as const)
  const result = Object.fromEntries(members)
  return Object.hasOwn(value, '$') ? withTag('object', result) : result
}

function readValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(readValue)
  if (!Object.hasOwn(value, '$')) return members(value as Members)
  const [type, given] = (value as { readonly $: readonly [string, never] }).$
  return READERS[type]?.(given)
}

const members = (value: Members): unknown =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readValue(member)]))

const READERS: { readonly [type: string]: (given: never) => unknown } = {
  undefined: () => undefined,
  number: (text: string) => Number(text),
  bigint: (text: string) => BigInt(text),
  Date: (time: number | null) => new Date(time ?? Number.NaN),
  bytes: (bytes: readonly number[]) => Uint8Array.from(bytes),
  Map: (entries: readonly unknown[]) => new Map(entries.map(readValue) as [unknown, unknown][]),
  Set: (values: readonly unknown[]) => new Set(values.map(readValue)),
  object: members,
}

const withTag = (type: string, value: unknown) => ({ $: [type, value] })

const notPlainDataError = (value: unknown): SyncError =>
  new SyncError(
    'value_not_allowed',
    `expected a result of plain data, which a message and a note can carry, got ${tagOf(value)}. Nothing was stored.`,
  )
