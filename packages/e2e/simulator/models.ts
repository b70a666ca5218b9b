import { defineModel, t } from '@godwit/model'
import type { SourcePlan } from './plan.js'

/** What every object of a source may have: `mark` is set once, when it is made; `a` and `b` change. */
export const VALUES = ['a', 'b'] as const

/** The attributes that a device of this schema version shows; `c` came with the second. */
export const declared = ({ belongsTo }: SourcePlan, schemaVersion: number): readonly string[] => [
  'mark',
  ...VALUES,
  ...Object.keys(belongsTo),
  ...(schemaVersion > 0 ? ['c'] : []),
]

export function modelOf(plan: SourcePlan, schemaVersion: number) {
  const { name, partition, belongsTo, storage, fullUpdate, passThrough } = plan
  const attributes = Object.fromEntries(
    declared(plan, schemaVersion).map(attribute => [
      attribute,
      belongsTo[attribute] === undefined ? t.string().optional() : t.belongsTo(belongsTo[attribute]).optional(),
    ]),
  )
  return defineModel(name, {
    attributes,
    partition,
    sync: 'incremental',
    storage,
    fullUpdate,
    passThrough,
    schemaVersion,
  })
}
