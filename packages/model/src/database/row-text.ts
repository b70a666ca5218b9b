import { literal } from '../columns/column-sql.js'
import { column, columnAttributes, REST } from '../columns/table-shape.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { joinConditions } from '../query/compile-condition.js'
import type { DeviceDatabase } from './database.js'

/** Returns SQL for the attributes of a row as members of a JSON object, each preceded by a comma. If a name repeats, the last member counts. */
export const membersOf = (definition: Definition): string =>
  joinConditions([...columnAttributes(definition).map(memberOf), `ifnull(${membersIn(REST)}, '')`], ' || ')

/** Returns SQL for the members of a JSON object, each preceded by a comma. */
export const membersIn = (object: string): string =>
  `CASE ${object} WHEN '{}' THEN '' ELSE ',' || substr(${object}, 2, length(${object}) - 2) END`

/** True in SQLite from 3.53 on. Older versions round numbers with a fraction to 15 digits. */
const SPELLS_NUMBERS = `json_quote(0.1 + 0.2) = '0.30000000000000004'`

const numbersOf = (definition: Definition) =>
  columnAttributes(definition).filter(({ type }) => ATTRIBUTE_TYPES[type].affinity !== 'TEXT')

/** Returns an SQL condition for rows whose numbers SQLite converts to text without rounding. */
export function numbersAreExactSql(definition: Definition): string {
  const isWhole = numbersOf(definition).map(({ name }) => `typeof(${column(name)}) <> 'real'`)
  return `(${SPELLS_NUMBERS} OR ${joinConditions(['TRUE', ...isWhole], ' AND ')})`
}

/** Returns true if SQLite converts all numbers of the model to text without rounding. */
export const spellsNumbers = (database: DeviceDatabase, definition: Definition): boolean =>
  numbersOf(definition).length === 0 || database.prepare(`SELECT ${SPELLS_NUMBERS}`).arrays()[0]?.[0] === 1

function memberOf({ name, type }: AttributeDefinition): string {
  const cell = column(name)
  return `CASE WHEN ${cell} IS NULL THEN '' ELSE ${literal(`,${JSON.stringify(name)}:`)} || ${ATTRIBUTE_TYPES[type].jsonSql(cell)} END`
}
