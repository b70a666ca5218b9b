import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { membersIn, membersOf, numbersAreExactSql, spellsNumbers } from '../database/row-text.js'
import { nextEntry } from './add.js'
import { hasUndecidedOwners } from './temporary-owners.js'

/**
 * Returns true if one SQL statement can add the creates of new objects: SQLite writes their values to JSON without rounding, and they refer to no
 * undecided create.
 */
export const canAddTogether = (database: DeviceDatabase, models: OpenModels, model: OpenModel): boolean =>
  model.synced && spellsNumbers(database, model.tableDefinition) && !hasUndecidedOwners(models, model)

interface NewRows {
  /** The last `seq` before the new rows. */
  readonly after: number
  /** The number of the last new entry. */
  readonly entry: number
}

/** Adds the creates of rows that were just inserted, as `addCreate` does for each. */
export function addCreates(
  database: DeviceDatabase,
  { name, shape, tableDefinition, scope }: OpenModel,
  { after, entry }: NewRows,
): void {
  scope.outbox.wrote(name)
  database
    .prepare(
      `INSERT INTO ${scope.outbox.table} (entry, model, object, operation, attributes, was, state, sent)
       SELECT entry, ?, "object", 'create', '{' || substr(${membersOf(tableDefinition)}, 2) || '}', '{}', 'unsent', 0 FROM ${shape.table} WHERE seq > ?`,
    )
    .run(name, after)
  scope.outbox.addedThrough(entry)
}

/**
 * Returns an SQL condition for rows that can be removed together: without undecided changes, or with one unsent update. It is false for all rows
 * while an owner has an undecided create, to which former values may refer.
 */
export function deletableTogetherSql(models: OpenModels, model: OpenModel): string {
  if (model.definition.by || hasUndecidedOwners(models, model)) return 'FALSE'
  const outbox = model.scope.outbox.table
  const isLast = `NOT EXISTS (SELECT 1 FROM ${outbox} AS later WHERE later.first = change.entry)`
  const isUpdate = `change.operation = 'update' AND change."key" IS NULL AND ${isLast}`
  const isJoined = `EXISTS (SELECT 1 FROM ${outbox} AS change WHERE change.entry = "row".entry AND ${isUpdate})`
  return `${numbersAreExactSql(model.tableDefinition)} AND ("row".entry IS NULL OR ${isJoined})`
}

/** Adds the deletes of rows that can be removed together, as `addDelete` does for each. Takes a JSON list of `seq`. */
export function addDeletes(
  database: DeviceDatabase,
  model: OpenModel,
  { seqs, count }: { seqs: string; count: number },
): void {
  const { name, shape, tableDefinition, scope } = model
  const outbox = scope.outbox.table
  scope.outbox.wrote(name)
  const entry = nextEntry(model, count)
  const isChanged = 'change.entry IS NOT NULL'
  const removed = `(SELECT group_concat(',' || json_quote("key") || ':null', '') FROM json_each(change.attributes))`
  const undone = `CASE WHEN ${isChanged} THEN ${removed} || ${membersIn('change.was')} ELSE '' END`
  const either = (changed: string, unchanged: string) => `CASE WHEN ${isChanged} THEN ${changed} ELSE ${unchanged} END`
  database
    .prepare(
      `INSERT INTO ${outbox} (entry, model, object, operation, attributes, was, seen, state, sent, hidden, version, pass, dead, beneath)
       SELECT ? + found."key", ?, "row".object, 'delete', '{}', '{' || substr(${membersOf(tableDefinition)} || ${undone}, 2) || '}',
         ${either('change.seen', 'nullif("row".version, 0)')}, 'unsent', 0, 1, ${either('change.version', '"row".version')},
         ${either('change.pass', '"row".pass')}, ${either('change.dead', '0')}, change.beneath
       FROM json_each(?) AS found CROSS JOIN ${shape.table} AS "row" ON "row".seq = found.value LEFT JOIN ${outbox} AS change ON change.entry = "row".entry`,
    )
    .run(entry, name, seqs)
  scope.outbox.addedThrough(entry + count - 1)
  const joined = `SELECT entry FROM ${shape.table} WHERE seq IN (SELECT value FROM json_each(?))`
  if (database.prepare(`DELETE FROM ${outbox} WHERE entry IN (${joined})`).run(seqs) > 0) scope.named.purge()
}
