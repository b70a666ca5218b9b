import { quote } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { isAttribute } from './sql-fragment.js'
import { invalidSql, tokensOf } from './tokens.js'

/** Replaces the app's attribute names in an SQL fragment by those of the server. Throws `query_invalid` for an unknown name. */
export function withServerNames(definition: Definition, sql: string): string {
  const names = new Map([...definition.attributes.values()].map(one => [one.appName ?? one.name, one.name]))
  const tokens = tokensOf(sql)
  return tokens
    .map((token, at) => {
      if (!isAttribute(tokens, at)) return token.text
      const name = token.text === 'id' ? 'object' : names.get(token.text)
      if (name !== undefined) return quote(name)
      const known = ['id', ...names.keys()].join(', ')
      throw invalidSql(
        sql,
        `${definition.name} has no attribute ${JSON.stringify(token.text)}; expected one of ${known}`,
      )
    })
    .join(' ')
}
