import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { literal } from '../query/columns.js'
import { joinConditions } from '../query/compile-condition.js'
import type { DeviceDatabase } from './database.js'
import { column, columnAttributes, REST } from './table-shape.js'

/** SQL for the attributes of a row: members of a JSON object, each preceded by a comma. If a name repeats, the last member counts. */
export const membersOf = (definition: Definition): string =>
  joinConditions([...columnAttributes(definition).map(memberOf), `ifnull(${membersIn(REST)}, '')`], ' || ')

/** SQL for the members of a JSON object, each preceded by a comma. */
export const membersIn = (object: string): string =>
  `CASE ${object} WHEN '{}' THEN '' ELSE ',' || substr(${object}, 2, length(${object}) - 2) END`

/** SQLite before 3.53 rounds numbers with a fraction to 15 digits. */
const SPELLS_NUMBERS = `json_quote(0.1 + 0.2) = '0.30000000000000004'`

const numbersOf = (definition: Definition) =>
  columnAttributes(definition).filter(({ type }) => ATTRIBUTE_TYPES[type].affinity !== 'TEXT')

/** SQL condition: true for rows whose numbers SQLite converts to text without rounding. */
export function numbersAreExactSql(definition: Definition): string {
  const isWhole = numbersOf(definition).map(({ name }) => `typeof(${column(name)}) <> 'real'`)
  return `(${SPELLS_NUMBERS} OR ${joinConditions(['TRUE', ...isWhole], ' AND ')})`
}

/** True if that condition holds for every row of the model. */
export const spellsNumbers = (database: DeviceDatabase, definition: Definition): boolean =>
  numbersOf(definition).length === 0 || database.prepare(`SELECT ${SPELLS_NUMBERS}`).arrays()[0]?.[0] === 1

function memberOf({ name, type }: AttributeDefinition): string {
  const cell = column(name)
  return `CASE WHEN ${cell} IS NULL THEN '' ELSE ${literal(`,${JSON.stringify(name)}:`)} || ${ATTRIBUTE_TYPES[type].jsonSql(cell)} END`
}
