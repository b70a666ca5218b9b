import { HALF_PAIR, SyncError } from '@godwit/protocol'
import type { Definition } from './definition.js'
import { isReserved, reservedName } from './reserved-names.js'

/** Throws if the parts of a definition contradict each other. */
export function checkDefinition(definition: Definition): void {
  const { name: model, attributes } = definition
  for (const name of attributes.keys()) if (isReserved(name)) throw reservedName(model, name)
  if (definition.storage === 'fixed' || definition.typed) checkColumns(definition)
  for (const index of definition.indexes) checkIndex(definition, index)
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

const invalid = (message: string): SyncError => new SyncError('definition_invalid', message)
