import type { OpenModel } from '../database/open-models.js'

/**
 * Orders sources into groups without dependencies within a group: owners first, then by priority. An owner is as urgent as the most urgent of its
 * dependents.
 */
export function inOrder(models: readonly OpenModel[]): readonly (readonly OpenModel[])[] {
  const names = new Map(models.map(model => [model.name, model]))
  const owners: Owners = new Map(models.map(model => [model, ownersOf(model, names)]))
  const urgency = urgencies(owners)
  const left = new Set([...models].sort((one, other) => one.sourceId - other.sourceId))
  const groups: (readonly OpenModel[])[] = []
  while (left.size > 0) {
    const group = nextGroup(owners, urgency, left)
    for (const model of group) left.delete(model)
    groups.push(group)
  }
  return groups
}

type Owners = ReadonlyMap<OpenModel, readonly OpenModel[]>

const ownersOf = (model: OpenModel, names: ReadonlyMap<string, OpenModel>): readonly OpenModel[] =>
  [...new Set([...model.definition.belongsTo.values()].flat())]
    .flatMap(name => names.get(name) ?? [])
    .filter(one => one !== model)

function nextGroup(
  owners: Owners,
  urgency: ReadonlyMap<OpenModel, number>,
  left: ReadonlySet<OpenModel>,
): readonly OpenModel[] {
  const above = new Map([...left].map(model => [model, allAbove(model, owners, left)]))
  const ready = [...left].filter(model => isReady(model, above))
  const first = Math.min(...ready.map(model => urgency.get(model) as number))
  const group: OpenModel[] = []
  for (const model of ready) {
    const waits = group.some(one => above.get(model)?.has(one))
    if (urgency.get(model) === first && !waits) group.push(model)
  }
  return group
}

/** All remaining owners of a model, direct and indirect; includes the model itself in a cycle. */
function allAbove(model: OpenModel, owners: Owners, left: ReadonlySet<OpenModel>): ReadonlySet<OpenModel> {
  const found = new Set<OpenModel>()
  const add = (one: OpenModel): void => {
    for (const owner of owners.get(one) ?? []) {
      if (!left.has(owner) || found.has(owner)) continue
      found.add(owner)
      add(owner)
    }
  }
  add(model)
  return found
}

/** True if everything above a model is also below it: in a cycle, one has to be first. */
const isReady = (model: OpenModel, above: ReadonlyMap<OpenModel, ReadonlySet<OpenModel>>): boolean =>
  [...(above.get(model) ?? [])].every(owner => above.get(owner)?.has(model))

/** The lowest priority of each model and its dependents. */
function urgencies(owners: Owners): ReadonlyMap<OpenModel, number> {
  const lowest = new Map<OpenModel, number>()
  const raise = (model: OpenModel, priority: number): void => {
    if (priority >= (lowest.get(model) ?? Number.POSITIVE_INFINITY)) return
    lowest.set(model, priority)
    for (const owner of owners.get(model) ?? []) raise(owner, priority)
  }
  for (const model of owners.keys()) raise(model, model.definition.syncPriority)
  return lowest
}
