import { type PartitionParameters, parametersName, parametersOf } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { StoredCopy } from '../database/tables/copy-table.js'

/** A model used through one copy: its sync state and tombstones are those of the copy, its rows and outbox those of all. */
export type CopiedModel = OpenModel & { readonly copy: StoredCopy }

export const inCopy = (model: OpenModel, copy: StoredCopy): CopiedModel => ({
  ...model,
  copy,
  state: model.scope.copies.state(copy.id),
  tombstones: model.scope.copyTombstones(copy.id),
})

/** Returns the model through each of its copies. */
export const copiesOf = (model: OpenModel): readonly CopiedModel[] =>
  model.scope.copies.of(model.name).map(copy => inCopy(model, copy))

/** Returns the model through the copy of a partition, which is created if there is none, inside the caller's transaction. */
export const copyFor = (model: OpenModel, parameters: PartitionParameters): CopiedModel =>
  inCopy(model, model.scope.copies.open(model.name, parametersName(parameters)))

/** Returns the model through an existing copy. */
export function copyAt(model: OpenModel, id: number): CopiedModel | undefined {
  const copy = model.scope.copies.get(id)
  return copy && inCopy(model, copy)
}

/** Returns the partition that attributes name; undefined if they name none. */
export const partitionIn = ({ definition }: OpenModel, attributes: object): PartitionParameters | undefined =>
  parametersOf(definition.by ?? [], attributes as { readonly [name: string]: unknown })

/** True once the server has refused the partition to this user. */
export const isDenied = ({ failure }: Pick<StoredCopy, 'failure'>): boolean => failure?.code === NOT_ALLOWED

/** The code of a partition that the user may not see. */
export const NOT_ALLOWED = 'partition_not_allowed'
