import { SyncError } from '@godwit/protocol'
import { ATTRIBUTE_TYPES, documentTypes } from './attribute-types.js'
import { PARTITIONS, SYNC_TYPES } from './definition.js'
import type { Draft } from './draft.js'
import { isReserved, reservedName } from './reserved-names.js'
import { valueText } from './value-text.js'

/** The names that `set` accepts. */
export const SETTINGS = ['partition', 'sync_type', 'sync_priority', 'freezed', 'schema_version'] as const
type ModelSetting = (typeof SETTINGS)[number]

/** The names that `enable` accepts. */
export const SWITCHES = ['fixed_schema', 'sync', 'full_update', 'pass_through'] as const
type Switch = (typeof SWITCHES)[number]

const SET: { readonly [Name in ModelSetting]: (draft: Draft, value: unknown) => void } = {
  partition: (draft, value) => {
    draft.partition = oneOf('partition', value, PARTITIONS)
  },
  sync_type: (draft, value) => {
    draft.syncType = oneOf('sync_type', value, SYNC_TYPES)
  },
  sync_priority: (draft, value) => {
    draft.syncPriority = numberOf('sync_priority: expected a whole number from 1', value, isPriority)
  },
  freezed: (draft, value) => {
    draft.freezed = booleanOf('freezed', value)
  },
  schema_version: (draft, value) => {
    draft.schemaVersion = numberOf('schema_version: expected a number', value, Number.isFinite)
  },
}

const ENABLE: { readonly [Name in Switch]: (draft: Draft) => void } = {
  fixed_schema: draft => {
    draft.storage = 'fixed'
  },
  sync: draft => {
    if (draft.syncType === 'none') draft.syncType = 'incremental'
  },
  full_update: draft => {
    draft.fullUpdate = true
  },
  pass_through: draft => {
    draft.passThrough = true
  },
}

/**
 * Sets a setting from text or a value. Like all functions here, it throws `definition_invalid`, with the allowed values, before it changes
 * anything.
 */
export const set = (draft: Draft, name: unknown, value: unknown): void =>
  SET[oneOf('set', name, SETTINGS)](draft, value)

export const enable = (draft: Draft, name: unknown): void => ENABLE[oneOf('enable', name, SWITCHES)](draft)

/** Declares an attribute, with an option that only blobs have. The type is accepted in any case; null means String. */
export function setAttribute(draft: Draft, name: string, type: unknown = 'String', option: unknown = null): void {
  const attribute = {
    name: checkName(draft, name),
    type: oneOf(`The type of ${name}`, type ?? 'String', documentTypes()),
    option: option === null || option === '' ? null : oneOf(`The option of ${name}`, option, ['overwrite']),
  }
  if (attribute.option && !ATTRIBUTE_TYPES[attribute.type].isFile)
    throw invalid(`The option of ${name}: expected the type Blob for overwrite, got ${attribute.type}.`)
  draft.attributes.set(name, attribute)
}

/** Declares that an attribute holds ids of a model. Further calls for the same attribute add models. */
export function setBelongsTo(draft: Draft, attribute: string, model: string): void {
  if (typeof model !== 'string' || model === '')
    throw invalid(`setBelongsTo: expected the name of a model, got ${valueText(model)}.`)
  const owners = draft.belongsTo.get(checkName(draft, attribute)) ?? []
  if (!owners.includes(model)) draft.belongsTo.set(attribute, [...owners, model])
}

/** Declares an index. Columns are a list, or text with commas. */
export function setIndex(draft: Draft, name: string, columns: unknown, isUnique: unknown = false): void {
  const attributes = typeof columns === 'string' ? columns.split(',').map(part => part.trim()) : columns
  const isNames = Array.isArray(attributes) && attributes.every(one => typeof one === 'string' && one !== '')
  if (typeof name !== 'string' || name === '') throw invalid(`expected the name of an index, got ${valueText(name)}.`)
  if (!isNames || attributes.length === 0)
    throw invalid(`The index ${name}: expected a list of attribute names, got ${valueText(columns)}.`)
  draft.indexes.set(name, { name, attributes, unique: booleanOf('is_unique', isUnique) })
}

function checkName({ name: model }: Draft, name: unknown): string {
  if (typeof name !== 'string') throw invalid(`expected the name of an attribute of ${model}, got ${valueText(name)}.`)
  if (isReserved(name)) throw reservedName(model, name)
  return name
}

const isPriority = (value: number): boolean => Number.isSafeInteger(value) && value >= 1

/** Returns the allowed value that equals a text, ignoring case: 'string' is 'String'. Throws `definition_invalid` if there is none. */
export function oneOf<const Allowed extends string>(
  what: string,
  given: unknown,
  allowed: readonly Allowed[],
): Allowed {
  const found = allowed.find(value => value.toLowerCase() === String(given).toLowerCase())
  if (found !== undefined) return found
  throw new SyncError(
    'definition_invalid',
    `${what}: expected one of ${allowed.join(', ')}, got ${valueText(given)}.`,
    {
      details: { allowed },
    },
  )
}

function booleanOf(what: string, given: unknown): boolean {
  const text = String(given).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalid(`${what}: expected true or false, got ${valueText(given)}.`)
}

function numberOf(expected: string, given: unknown, fits: (value: number) => boolean): number {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  if (typeof value === 'number' && fits(value)) return value
  throw invalid(`${expected}, got ${valueText(given)}.`)
}

const invalid = (message: string): SyncError => new SyncError('definition_invalid', message)
