import type { AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { ownersOf } from '../definition/owners.js'
import { callSafely } from '../live/call-safely.js'
import { TimeoutPause } from '../live/timeout-pause.js'
import { moment } from '../platform/moment.js'
import { compileCount } from '../query/compile.js'
import { textOf } from '../query/operand.js'
import type { Condition, Query } from '../query/query-tree.js'
import { withFollowedLinks } from './follow-query-links.js'
import { isSameRow, leadsTo, watchOthers } from './observe-related.js'
import { queryRows } from './query-rows.js'
import { read, shapeIn } from './read-rows.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'

/** Returns the current engine, which a migration may have replaced. */
export type EngineOfNow = () => RecordEngine

/**
 * Calls back immediately and after each transaction that changed the result; unchanged rows stay the same objects. A query that can no longer run is
 * reported to `models.live.failed` and retried after the next change.
 */
export function observe(
  engineOfNow: EngineOfNow,
  query: Query,
  callback: (rows: readonly RecordRow[]) => void,
): () => void {
  const { models, model } = engineOfNow()
  const traced = models.live.trace.begin(model.name, () => JSON.stringify(query))
  const readNow = (): readonly RecordRow[] => {
    const since = moment()
    const now = read(engineOfNow(), query)
    traced.ran(now.length, since)
    return now
  }
  let rows = readNow()
  let stopped = false
  const pause = new TimeoutPause(models.live, () => refresh())
  const refresh = () => {
    if (stopped || pause.isOn) return
    const before = rows
    try {
      rows = keepingSame(rows, readNow())
      pause.end()
    } catch (error) {
      if (pause.isNews(error)) models.live.failed(model.name, error)
    }
    if (rows !== before) callSafely(() => callback(rows), models.live.callbacks.threw)
  }
  const own = models.live.observe({
    model: model.name,
    // Checking one object costs as much as the whole search, so every write counts as a match.
    matches: object => query.search !== undefined || pause.isOn || matches(engineOfNow(), query, object),
    names: (owner, ids) =>
      leadsTo(query, owner) || namesIds(engineOfNow().model.definition, query.condition, owner, ids),
    refresh,
  })
  const others = watchOthers(models.live, query, { rows: () => rows, ask: refresh })
  const end = () => {
    stopped = true
    pause.end()
    traced.end()
    own()
    for (const stop of others) stop()
  }
  try {
    callback(rows)
  } catch (error) {
    end()
    throw error
  }
  return end
}

function matches({ database, models, model }: RecordEngine, query: Query, object: string): boolean {
  const { condition } = withFollowedLinks(models, model, query)
  const isObject: Condition = { kind: 'compare', attribute: 'object', operator: '=', value: object }
  const both: Condition = condition ? { kind: 'and', parts: [isObject, condition] } : isObject
  const compiled = compileCount({ condition: both, order: [] }, model.shape, shapeIn({ models }))
  return queryRows(database, query, compiled)[0]?.[0] !== 0
}

/** Returns the result with the previous objects of unchanged rows, or the previous list if nothing changed. */
function keepingSame(before: readonly RecordRow[], now: readonly RecordRow[]): readonly RecordRow[] {
  const known = new Map(before.map(row => [row.object, row]))
  const kept = now.map(row => {
    const old = known.get(row.object)
    return old && isSameRow(old, row) ? old : row
  })
  const isSame = kept.length === before.length && kept.every((row, at) => row === before[at])
  return isSame ? before : kept
}

/** Returns true if a condition compares with one of these ids of a model, and possibly for SQL that contains the same text elsewhere. */
function namesIds(
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
  // A relation may refer to its object by a linked id.
  if (condition.kind === 'related') return true
  if (condition.kind !== 'compare') return condition.parts.some(part => namesIds(definition, part, owner, ids))
  return ownersOf(definition, condition.attribute).includes(owner) && [condition.value].flat().some(has)
}
