import { sameMembers } from '../database/attributes.js'
import { aside } from '../live/aside.js'
import { compileCount } from '../query/compile.js'
import { namesIds } from '../query/names-ids.js'
import type { Condition, Query } from '../query/query.js'
import { asked } from './asked.js'
import type { Engine } from './engine.js'
import { read } from './read.js'
import type { Row } from './records.js'

/** What an observed question is asked of: the engine of now, as a migration may bring another. */
export type EngineOfNow = () => Engine

/**
 * Calls back at once, and after each transaction that changed the answer. Rows that stayed the same are the same objects again.
 * A callback that throws at once observes nothing; one that throws later stops nobody else: its error is thrown by itself, as an uncaught one.
 * A question that cannot be asked any more, as a row came that its SQL fails on, or a migration took an attribute, is told to `models.live.failed`,
 * and asked again after the next change.
 */
export function observe(engineOfNow: EngineOfNow, query: Query, callback: (rows: readonly Row[]) => void): () => void {
  const { models, model } = engineOfNow()
  let rows = read(engineOfNow(), query)
  let stopped = false
  const stop = models.live.observe({
    model: model.name,
    matches: object => matches(engineOfNow(), query, object),
    names: (owner, ids) => namesIds(engineOfNow().model.definition, query.condition, owner, ids),
    ask() {
      if (stopped) return
      const before = rows
      try {
        rows = keepingSame(rows, read(engineOfNow(), query))
      } catch (error) {
        models.live.failed(model.name, error)
      }
      if (rows !== before) aside(() => callback(rows))
    },
  })
  const end = () => {
    stopped = true
    stop()
  }
  try {
    callback(rows)
  } catch (error) {
    end()
    throw error
  }
  return end
}

function matches({ database, models, model }: Engine, query: Query, object: string): boolean {
  const { condition } = asked(models, model, query)
  const isObject: Condition = { kind: 'compare', attribute: 'object', operator: '=', value: object }
  const both: Condition = condition ? { kind: 'and', parts: [isObject, condition] } : isObject
  const { sql, values } = compileCount({ condition: both, order: [] }, model.shape)
  return database.prepare(sql).arrays(...values)[0]?.[0] !== 0
}

/** The rows of before where nothing changed, as one list or each for itself. */
function keepingSame(before: readonly Row[], now: readonly Row[]): readonly Row[] {
  const known = new Map(before.map(row => [row.object, row]))
  const kept = now.map(row => {
    const old = known.get(row.object)
    return old && sameMembers(old.attributes, row.attributes) ? old : row
  })
  const isSame = kept.length === before.length && kept.every((row, at) => row === before[at])
  return isSame ? before : kept
}
