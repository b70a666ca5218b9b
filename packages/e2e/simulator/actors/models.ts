import { defineModel, t } from '@godwit/model'
import type { SourcePlan } from '../world/plan.js'

/** Attributes of every source's objects: `mark` is set once, at creation; `a` and `b` change. */
export const VALUES = ['a', 'b'] as const

/** Returns the attribute names in a schema version; `c` was added in the second. */
export const attributeNames = ({ belongsTo, photos }: SourcePlan, schemaVersion: number): readonly string[] => [
  'mark',
  ...VALUES,
  ...Object.keys(belongsTo),
  ...(photos === true ? ['photo'] : []),
  ...(schemaVersion > 0 ? ['c'] : []),
]

/** Returns the attributes that must equal the server's; photos are excluded if a device may show those that it sent. */
export const comparedAttributes = (plan: SourcePlan, schemaVersion: number): readonly string[] =>
  attributeNames(plan, schemaVersion).filter(name => name !== 'photo' || plan.overwrites !== false)

export function modelOf(plan: SourcePlan, schemaVersion: number) {
  const { name, partition, storage, fullUpdate, passThrough } = plan
  const attributes = Object.fromEntries(
    attributeNames(plan, schemaVersion).map(attribute => [attribute, typeOf(plan, attribute)]),
  )
  return defineModel(name, {
    attributes,
    partition,
    sync: plan.bulkOnly === true ? 'bulk_only' : 'incremental',
    storage,
    fullUpdate,
    passThrough,
    schemaVersion,
  })
}

function typeOf({ belongsTo, overwrites = true }: SourcePlan, attribute: string) {
  if (attribute === 'photo') return t.blob({ overwrite: overwrites }).optional()
  return belongsTo[attribute] === undefined ? t.string().optional() : t.belongsTo(belongsTo[attribute]).optional()
}
