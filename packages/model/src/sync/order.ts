import type { Model } from '../database/models.js'

/** Sources in groups, one after the other: by priority, and owners before what belongs to them. Those of one group do not depend on each other. */
export function inOrder(models: readonly Model[]): readonly (readonly Model[])[] {
  const names = new Map(models.map(model => [model.name, model]))
  const levels = new Map<string, number>()
  const levelOf = (model: Model, above: ReadonlySet<string>): number => {
    const known = levels.get(model.name)
    if (known !== undefined) return known
    const owners = [...new Set(model.definition.belongsTo.values())].filter(
      owner => owner !== model.name && !above.has(owner),
    )
    const inside = new Set([...above, model.name])
    const level = owners.reduce((highest, name) => {
      const owner = names.get(name)
      return owner ? Math.max(highest, 1 + levelOf(owner, inside)) : highest
    }, 0)
    if (above.size === 0) levels.set(model.name, level)
    return level
  }
  const groups = new Map<string, Model[]>()
  const ranked = models.map(model => ({
    model,
    level: levelOf(model, new Set()),
    priority: model.definition.syncPriority,
  }))
  ranked.sort(
    (one, other) =>
      one.level - other.level || one.priority - other.priority || one.model.sourceId - other.model.sourceId,
  )
  for (const { model, level, priority } of ranked) {
    const group = groups.get(`${level} ${priority}`) ?? []
    groups.set(`${level} ${priority}`, [...group, model])
  }
  return [...groups.values()]
}
