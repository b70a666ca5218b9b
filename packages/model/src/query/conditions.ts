import { type AttributeValue, SyncError } from '@godwit/protocol'
import { type Condition, OPERATORS, type Operator } from './query.js'

type Form = { readonly [name: string]: unknown }

const FUNCTIONS = ['LOWER', 'UPPER', 'LENGTH', 'ABS', 'TRIM'] as const

/**
 * Any documented way to write conditions: a map, `[sql, …values]`, SQL text, `{ attrib | name, op, func, value | values }`, a list of these,
 * `{ conditions, op }`. Undefined: none. Throws `query_invalid`, saying what is allowed.
 */
export function readConditions(given: unknown, op: unknown = 'AND'): Condition | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given === 'string') return given.trim() === '' ? undefined : { kind: 'sql', sql: given, values: [] }
  if (Array.isArray(given)) return readList(given, op)
  if (typeof given === 'object') return readForm(given as Form, op)
  throw new SyncError(
    'query_invalid',
    `Conditions are a map, SQL text, [sql, ...values] or a list of conditions; ${typeof given} came.`,
  )
}

function readList(list: readonly unknown[], op: unknown): Condition | undefined {
  const [first, ...values] = list
  if (typeof first === 'string') return { kind: 'sql', sql: first, values: values as readonly AttributeValue[] }
  return joined(
    list.map(part => readConditions(part)),
    op,
  )
}

function readForm(form: Form, op: unknown): Condition | undefined {
  if (Object.hasOwn(form, 'conditions') && Object.keys(form).every(name => name === 'conditions' || name === 'op')) {
    return readConditions(form['conditions'], form['op'] ?? op)
  }
  if (isComparison(form)) return readComparison(form)
  return joined(
    Object.entries(form).map(([attribute, value]) => readMember(attribute, value)),
    op,
  )
}

const COMPARISON = new Set(['attrib', 'name', 'op', 'func', 'value', 'values'])

/** `{ name: 'Bob', value: 3 }` is a map: without `attrib` only an operator or a function makes it a comparison. */
function isComparison(form: Form): boolean {
  const names = Object.keys(form)
  if (!names.every(name => COMPARISON.has(name)) || !(names.includes('value') || names.includes('values'))) return false
  return names.includes('attrib') || (names.includes('name') && (names.includes('op') || names.includes('func')))
}

function readComparison({ attrib, name, op = '=', func, value, values }: Form): Condition {
  const attribute = String(attrib ?? name)
  const operator = readOperator(op)
  const wanted = isList(operator) ? (values ?? value) : (value ?? values ?? null)
  if (func === undefined || func === null) return compare(attribute, operator, wanted)
  const applied = FUNCTIONS.find(known => known === String(func).toUpperCase())
  if (applied === undefined)
    throw new SyncError('query_invalid', `func is one of ${FUNCTIONS.join(', ')}; ${String(func)} came.`)
  return { ...compare(attribute, operator, wanted), func: applied } as Condition
}

/** A member of a map: equal to a value, one of a list, or compared by operators: `{ '>=': 5 }`. */
function readMember(attribute: string, value: unknown): Condition | undefined {
  if (Array.isArray(value)) return compare(attribute, 'IN', value)
  if (typeof value !== 'object' || value === null) return compare(attribute, '=', value ?? null)
  const entries = Object.entries(value)
  if (entries.length === 0 || !entries.every(([op]) => operatorOf(op) !== undefined))
    return compare(attribute, '=', value)
  return joined(
    entries.map(([op, wanted]) => compare(attribute, readOperator(op), wanted)),
    'AND',
  )
}

function compare(attribute: string, operator: Operator, value: unknown): Condition {
  if (isList(operator) !== Array.isArray(value)) {
    throw new SyncError(
      'query_invalid',
      `${attribute} ${operator} takes ${isList(operator) ? 'a list of values' : 'one value'}.`,
    )
  }
  return { kind: 'compare', attribute, operator, value: value as AttributeValue }
}

const isList = (operator: Operator): boolean => operator === 'IN' || operator === 'NOT IN'

const operatorOf = (text: string): Operator | undefined =>
  OPERATORS.find(known => known === text.trim().replace(/\s+/g, ' ').toUpperCase()) ??
  (text.trim() === '!=' ? '<>' : undefined)

function readOperator(given: unknown): Operator {
  const operator = operatorOf(String(given))
  if (operator !== undefined) return operator
  throw new SyncError('query_invalid', `The operator is one of ${OPERATORS.join(', ')}; ${String(given)} came.`)
}

function joined(parts: readonly (Condition | undefined)[], op: unknown): Condition | undefined {
  const some = parts.filter(part => part !== undefined)
  const kind = String(op).toLowerCase()
  if (kind !== 'and' && kind !== 'or') throw new SyncError('query_invalid', `op is AND or OR; ${String(op)} came.`)
  return some.length > 1 ? { kind, parts: some } : some[0]
}
