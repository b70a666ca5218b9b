import type { AttributeValue } from '@godwit/protocol'
import { valueExpression } from '../columns/column-sql.js'
import { quote, type TableShape } from '../columns/table-shape.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import type { CompiledQuery } from './compiled-query.js'
import { boundTo, readOnlyTokens, sqlOf } from './sql-select.js'
import { modelsInSql } from './sql-tables.js'

/** A SELECT, and the models that it reads. */
export interface CompiledSql extends CompiledQuery {
  readonly models: readonly string[]
}

/**
 * Compiles a SELECT over views that have the models' names and the app's attribute names: `id`, Booleans as 1 and 0, timestamps as UTC text. Throws
 * `query_invalid` for anything but one SELECT over models.
 */
export function compileSql(given: string, values: readonly AttributeValue[], all: readonly TableShape[]): CompiledSql {
  const tokens = readOnlyTokens(given)
  const models = modelsInSql(given, tokens, all)
  const numbers = values.map(value => (typeof value === 'boolean' ? Number(value) : value))
  const bound = boundTo(given, tokens, numbers)
  const views = models.map(viewOf)
  return {
    sql: `${views.length > 0 ? `WITH ${views.join(', ')} ` : ''}SELECT * FROM (${sqlOf(tokens)})`,
    values: bound,
    models: models.map(({ definition }) => definition.name),
  }
}

/** Returns the view of a model. Names that differ only in case appear once, because SQLite ignores it. */
function viewOf({ definition, table }: TableShape): string {
  const seen = new Set(['id'])
  const columns = [...definition.attributes.values()].flatMap(attribute => {
    const name = attribute.appName ?? attribute.name
    if (seen.has(name.toLowerCase())) return []
    seen.add(name.toLowerCase())
    return [`, ${expressionOf(definition, attribute)} AS ${quote(name)}`]
  })
  return `${quote(definition.name)} AS (SELECT "object" AS "id"${columns.join('')} FROM ${table})`
}

function expressionOf(definition: Definition, { name, type }: AttributeDefinition): string {
  const value = valueExpression(definition, name)
  return ATTRIBUTE_TYPES[type].appSql?.(value) ?? value
}
