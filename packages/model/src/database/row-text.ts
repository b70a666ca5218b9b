import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { literal } from '../query/columns.js'
import { affinityOf } from './cell.js'
import { column, columnAttributes, REST } from './table-shape.js'

/** The attributes of a row as SQL spells them: members of a JSON object, each behind a comma. Of several with one name the last counts. */
export const membersOf = (definition: Definition): string =>
  [...columnAttributes(definition).map(memberOf), `ifnull(${membersIn(REST)}, '')`].join(' || ')

/** The members of a JSON object, each behind a comma. */
export const membersIn = (object: string): string =>
  `CASE ${object} WHEN '{}' THEN '' ELSE ',' || substr(${object}, 2, length(${object}) - 2) END`

/** Whether SQL spells the numbers of a row as they are: SQLite before 3.53 rounds those with a fraction to 15 digits. */
export function isSpelled(definition: Definition): string {
  const numbers = columnAttributes(definition).filter(({ type }) => affinityOf(type) !== 'TEXT')
  const isWhole = numbers.map(({ name }) => ` AND typeof(${column(name)}) <> 'real'`)
  return `(json_quote(0.1 + 0.2) = '0.30000000000000004' OR (TRUE${isWhole.join('')}))`
}

function memberOf({ name, type }: AttributeDefinition): string {
  const cell = column(name)
  const value = type === 'Boolean' ? `CASE ${cell} WHEN 'true' THEN 'true' ELSE 'false' END` : `json_quote(${cell})`
  return `CASE WHEN ${cell} IS NULL THEN '' ELSE ${literal(`,${JSON.stringify(name)}:`)} || ${value} END`
}
