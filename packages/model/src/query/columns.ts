import type { AttributeType, Definition } from '../definition/definition.js'

/** Whether the attribute is declared as a number: it then compares and sorts as one, else by its text. */
export const isNumeric = (definition: Definition, attribute: string): boolean =>
  NUMERIC.has(definition.attributes.get(attribute)?.type ?? 'String')

const NUMERIC: ReadonlySet<AttributeType> = new Set(['Integer', 'Float'])

/** A string literal of SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * What an attribute of a bag is to SQL, for conditions, order and indexes alike: SQLite uses an index on an expression only for exactly the same text.
 * Missing is NULL. A declared number that came as text counts as the number that it spells; everything else is its text, booleans 'true' and 'false'.
 */
export function bagExpression(definition: Definition, attribute: string): string {
  if (attribute === 'object') return '"object"'
  const path = literal(`$.${JSON.stringify(attribute)}`)
  return isNumeric(definition, attribute) ? numberAt(path) : textAt(path)
}

/** CAST gives the expression the affinity of a TEXT column, so that `name < 200` compares by text there too. */
function textAt(path: string): string {
  const type = `json_type("attributes", ${path})`
  const [text, json] = [`"attributes" ->> ${path}`, `"attributes" -> ${path}`]
  return `CAST(CASE ${type} WHEN 'text' THEN ${text} WHEN 'null' THEN NULL ELSE ${json} END AS TEXT)`
}

/** CAST alone would make 0 of any text; compared with the text, it tells whether the text spells a number. */
function numberAt(path: string): string {
  const type = `json_type("attributes", ${path})`
  const [value, json] = [`"attributes" ->> ${path}`, `"attributes" -> ${path}`]
  const spelled = `CASE WHEN CAST(${value} AS NUMERIC) = ${value} THEN CAST(${value} AS NUMERIC) ELSE ${value} END`
  const number = `WHEN 'integer' THEN ${value} WHEN 'real' THEN ${value}`
  return `CASE ${type} ${number} WHEN 'text' THEN ${spelled} WHEN 'null' THEN NULL ELSE ${json} END`
}
