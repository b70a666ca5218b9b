import type { Definition } from '../definition/definition.js'
import { ownersOf } from '../definition/owners.js'
import { attributeName, isAttribute } from './sql-fragment.js'
import { is, type Token } from './tokens.js'

/** Tokens that compare an id attribute with values. */
export interface ComparedIds {
  readonly attribute: string
  readonly operator: 'IN' | 'NOT IN'
  readonly operands: readonly Token[]
  /** Number of tokens. */
  readonly length: number
}

const EQUAL = ['=', '==']
const OTHER = ['<>', '!=']

/** Operators that bind at least as tightly as the comparison, so that next to them it is not a separate expression. */
const BINDING =
  '= == <> != < <= > >= << >> | || & + - * / % ~ -> ->> IS IN LIKE GLOB BETWEEN COLLATE ISNULL NOTNULL ESCAPE'.split(
    ' ',
  )

/** Returns the comparison of ids that starts at a token, if any: `city = ?`, `? <> city`, `city NOT IN ('a', ?)`. */
export function parseIdComparison(
  definition: Definition,
  tokens: readonly Token[],
  at: number,
): ComparedIds | undefined {
  const compared = listAt(definition, tokens, at) ?? pairAt(definition, tokens, at)
  if (!compared || is(tokens[at - 1], ...BINDING) || is(tokens[at + compared.length], ...BINDING)) return undefined
  return compared
}

function pairAt(definition: Definition, tokens: readonly Token[], at: number): ComparedIds | undefined {
  const [left, sign, right] = tokens.slice(at, at + 3)
  const operator = is(sign, ...EQUAL) ? 'IN' : is(sign, ...OTHER) ? 'NOT IN' : undefined
  if (!left || !right || operator === undefined) return undefined
  const [first, last] = [idsAt(definition, tokens, at), idsAt(definition, tokens, at + 2)]
  const [attribute, operand] = first === undefined ? [last, left] : [first, right]
  if (attribute === undefined || !isOperand(operand)) return undefined
  return { attribute, operator, operands: [operand], length: 3 }
}

function listAt(definition: Definition, tokens: readonly Token[], at: number): ComparedIds | undefined {
  const attribute = idsAt(definition, tokens, at)
  const isNot = is(tokens[at + 1], 'NOT')
  const open = at + (isNot ? 3 : 2)
  if (attribute === undefined || !is(tokens[open - 1], 'IN') || !is(tokens[open], '(')) return undefined
  const close = tokens.findIndex((token, place) => place > open && is(token, ')'))
  const listed = tokens.slice(open + 1, close)
  const operands = listed.filter((_, place) => place % 2 === 0)
  const isList = listed.every((token, place) => (place % 2 === 0 ? isOperand(token) : is(token, ',')))
  if (!isList) return undefined
  return { attribute, operator: isNot ? 'NOT IN' : 'IN', operands, length: close + 1 - at }
}

const isOperand = ({ kind }: Token): boolean => kind === 'placeholder' || kind === 'string' || kind === 'number'

function idsAt(definition: Definition, tokens: readonly Token[], at: number): string | undefined {
  if (!isAttribute(tokens, at)) return undefined
  const attribute = attributeName(definition, (tokens[at] as Token).text)
  return ownersOf(definition, attribute).length > 0 ? attribute : undefined
}
