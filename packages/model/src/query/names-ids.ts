import type { AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { ownersOf } from '../definition/owners.js'
import { textOf } from './operand.js'
import type { Condition } from './query.js'

/** Whether a condition compares with one of these ids of a model. True too where SQL has such a text elsewhere. */
export function namesIds(
  definition: Definition,
  condition: Condition | undefined,
  owner: string,
  ids: ReadonlySet<ObjectId>,
): boolean {
  if (condition === undefined) return false
  const has = (value: AttributeValue): boolean => ids.has(textOf(value) ?? '')
  if (condition.kind === 'sql')
    return condition.values.flat().some(has) || [...ids].some(id => condition.sql.includes(id))
  if (condition.kind === 'stored') return false
  // It leads over an id, which a link may be about.
  if (condition.kind === 'related') return true
  if (condition.kind !== 'compare') return condition.parts.some(part => namesIds(definition, part, owner, ids))
  return ownersOf(definition, condition.attribute).includes(owner) && [condition.value].flat().some(has)
}
