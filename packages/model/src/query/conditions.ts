import { SyncError } from '@godwit/protocol'
import { hasMembers } from '../definition/plain-json.js'
import { valueText } from '../definition/value-text.js'
import { type Condition, FUNCTIONS, type Func, OPERATORS, type Operator } from './query-tree.js'
import { readName } from './read-name.js'
import { readValue } from './read-value.js'

type Form = { readonly [name: string]: unknown }

/**
 * Reads conditions in any documented notation: a map, `[sql, …values]`, SQL text, `{ attrib | name, op, func, value | values }`, a list of these, `{
 * conditions, op }`. Returns undefined for none. Throws `query_invalid` and lists what is allowed.
 */
export function readConditions(given: unknown, op: unknown = 'AND'): Condition | undefined {
  const kind = readJoin(op)
  if (given === undefined || given === null) return undefined
  if (typeof given === 'string') return given.trim() === '' ? undefined : { kind: 'sql', sql: given, values: [] }
  if (Array.isArray(given)) return readList(given, kind)
  if (hasMembers(given)) return readForm(given as Form, kind)
  throw invalid(
    `conditions: expected a map, SQL text, [sql, ...values] or a list of conditions, got ${valueText(given)}.`,
  )
}

type JunctionKind = 'and' | 'or'

function readJoin(op: unknown): JunctionKind {
  const kind = String(op).toLowerCase()
  if (kind === 'and' || kind === 'or') return kind
  throw invalid(`op: expected AND or OR, got ${valueText(op)}.`)
}

function readList(list: readonly unknown[], kind: JunctionKind): Condition | undefined {
  const [first, ...values] = list
  if (typeof first !== 'string')
    return joinParts(
      list.map(part => readConditions(part)),
      kind,
    )
  return { kind: 'sql', sql: first, values: values.map((value, at) => readValue(`Value ${at + 1}`, value)) }
}

function readForm(form: Form, kind: JunctionKind): Condition | undefined {
  const names = Object.keys(form)
  if (names.includes('conditions') && names.every(name => name === 'conditions' || name === 'op'))
    return readConditions(form['conditions'], form['op'] ?? kind)
  if (isComparison(names)) return readComparison(form)
  return joinParts(
    names.map(attribute => readMember(attribute, form[attribute])),
    kind,
  )
}

const COMPARISON = new Set(['attrib', 'name', 'op', 'func', 'value', 'values'])

/** Returns true for a comparison. `{ name: 'Bob', value: 3 }` is a map: without `attrib`, a comparison needs an operator or a function. */
function isComparison(names: readonly string[]): boolean {
  if (!names.every(name => COMPARISON.has(name)) || !(names.includes('value') || names.includes('values'))) return false
  return names.includes('attrib') || (names.includes('name') && (names.includes('op') || names.includes('func')))
}

function readComparison({ attrib, name, op, func, value, values }: Form): Condition {
  const wanted = value === undefined ? values : value
  const operator = readOperator(op ?? (Array.isArray(wanted) ? 'IN' : '='))
  const applied = func === undefined || func === null ? undefined : readFunc(func)
  return compare(readName('attrib', attrib ?? name), operator, wanted, applied)
}

/** Reads a member of a map: a value, a list of values, or operators such as `{ '>=': 5 }`. */
function readMember(attribute: string, value: unknown): Condition | undefined {
  const name = readName('conditions', attribute)
  if (Array.isArray(value)) return compare(name, 'IN', value)
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0 || !entries.every(([op]) => operatorOf(op) !== undefined)) return compare(name, '=', value)
  return joinParts(
    entries.map(([op, wanted]) => compare(name, readOperator(op), wanted)),
    'and',
  )
}

function compare(attribute: string, operator: Operator, given: unknown, func?: Func): Condition {
  const value = readValue(attribute, given)
  const isList = operator === 'IN' || operator === 'NOT IN'
  if (isList !== Array.isArray(value))
    throw invalid(
      `${attribute} ${operator}: expected ${isList ? 'a list of values' : 'one value'}, got ${valueText(given)}.`,
    )
  if (value === null && operator !== '=' && operator !== '<>')
    throw invalid(`${attribute} ${operator}: expected a value, got null, which only = and <> take.`)
  return { kind: 'compare', attribute, operator, value, ...(func && { func }) }
}

const operatorOf = (text: string): Operator | undefined => {
  const plain = text.trim().replace(/\s+/g, ' ').toUpperCase()
  return OPERATORS.find(known => known === plain) ?? (plain === '!=' ? '<>' : undefined)
}

function readOperator(given: unknown): Operator {
  const operator = operatorOf(String(given))
  if (operator !== undefined) return operator
  throw invalid(`expected one of the operators ${OPERATORS.join(', ')}, got ${valueText(given)}.`)
}

function readFunc(given: unknown): Func {
  const func = FUNCTIONS.find(known => known === String(given).toUpperCase())
  if (func !== undefined) return func
  throw invalid(`func: expected one of ${FUNCTIONS.join(', ')}, got ${valueText(given)}.`)
}

function joinParts(parts: readonly (Condition | undefined)[], kind: JunctionKind): Condition | undefined {
  const some = parts.filter(part => part !== undefined)
  return some.length > 1 ? { kind, parts: some } : some[0]
}

const invalid = (message: string): SyncError => new SyncError('query_invalid', message)
