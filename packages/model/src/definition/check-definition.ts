import { HALF_PAIR, MAX_BY, SyncError } from '@godwit/protocol'
import type { Definition } from './definition.js'
import { isReserved, reservedName } from './reserved-names.js'

/** Throws if the parts of a definition contradict each other. */
export function checkDefinition(definition: Definition): void {
  const { name: model, attributes } = definition
  for (const name of attributes.keys()) if (isReserved(name)) throw reservedName(model, name)
  if (definition.storage === 'fixed' || definition.typed) checkColumns(definition)
  for (const index of definition.indexes) checkIndex(definition, index)
  if (definition.by) checkBy(definition, definition.by)
}

/** Throws for names that cannot be columns, such as two that differ only in case, which SQLite ignores. */
function checkColumns({ name, typed, attributes }: Definition): void {
  const model = typed ? name : `${name} is of fixed schema`
  const names = new Map<string, string>()
  for (const name of attributes.keys()) {
    const duplicate = names.get(name.toLowerCase())
    if (duplicate !== undefined) throw invalid(`${model}: ${duplicate} and ${name} must differ by more than case.`)
    if (name.includes('\0')) throw invalid(`${model}: ${JSON.stringify(name)} must not hold NUL.`)
    if (typed && !name.isWellFormed()) throw invalid(`${model}: ${JSON.stringify(name)}: got ${HALF_PAIR}.`)
    names.set(name.toLowerCase(), name)
  }
}

function checkIndex(
  { name: model, freezed, attributes }: Definition,
  { name, attributes: columns }: Definition['indexes'][number],
): void {
  if (name.includes('\0')) throw invalid(`The index ${JSON.stringify(name)} of ${model} must not hold NUL.`)
  if (columns.length === 0) throw invalid(`The index ${name} of ${model} is empty: expected attribute names, got none.`)
  const unknown = columns.filter(column => freezed && column !== 'object' && !attributes.has(column))
  if (unknown.length === 0) return
  const known = [...attributes.keys()].join(', ')
  throw invalid(`The index ${name} of ${model} names ${unknown.join(', ')}: expected some of ${known}.`)
}

/** Types whose values may name a partition. */
const BY_TYPES: readonly string[] = ['String', 'Varchar', 'Integer', 'Float', 'Boolean', 'Enum']

/** An object without these attributes would be in no partition. */
function checkBy({ name: model, attributes, typed, syncType, passThrough }: Definition, by: readonly string[]): void {
  if (by.length === 0 || by.length > MAX_BY || new Set(by).size < by.length)
    throw invalid(`${model}, by: expected 1 to ${MAX_BY} different attributes, got ${by.join(', ') || 'none'}.`)
  if (syncType !== 'incremental' || passThrough)
    throw invalid(`${model}, by: expected a model with sync: 'incremental' and without passThrough.`)
  const unfit = by.find(name => {
    const { type, presence } = attributes.get(name) ?? {}
    // Untyped models have attributes that are not declared.
    if (!typed) return type !== undefined && !BY_TYPES.includes(type)
    return type === undefined || !BY_TYPES.includes(type) || presence !== 'required'
  })
  if (unfit !== undefined)
    throw invalid(`${model}, by: expected required attributes with text, a number or a boolean, got ${unfit}.`)
}

const invalid = (message: string): SyncError => new SyncError('definition_invalid', message)
