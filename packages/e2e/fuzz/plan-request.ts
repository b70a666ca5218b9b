import { emptyRecord, type JsonValue } from '@godwit/protocol'
import type { Dice } from '../simulator/world/dice.js'
import { CALLERS, type CallerName, type Callers, roleOf } from './callers.js'
import type { ApiOperation } from './document.js'
import { hostile, RAW_BODIES } from './hostile.js'
import type { PushNumbers } from './push-numbers.js'
import type { RawRequest } from './send.js'
import type { ValueMaker } from './values.js'

export interface Planner {
  readonly dice: Dice
  readonly values: ValueMaker
  readonly callers: Callers
  readonly numbers: PushNumbers
}

export interface PlannedRequest {
  readonly request: RawRequest
  /** The caller; undefined for a request without credentials. */
  readonly caller: CallerName | undefined
}

/** One request to an operation: mostly by somebody who may, with values that fit or nearly fit. */
export async function planRequest(planner: Planner, operation: ApiOperation): Promise<PlannedRequest> {
  const { dice, callers } = planner
  const caller = callerOf(operation, dice)
  const who = caller === undefined ? {} : await callers.headers(caller)
  const address = addressOf(planner, operation)
  const body = bodyOf(planner, operation, fitting => planner.numbers.continued(fitting, who, address, dice))
  const headers = {
    ...who,
    ...(dice.chance(0.8) && { accept: 'application/json' }),
    ...(body !== undefined && { 'content-type': mediaOf(operation, dice) }),
    ...strangeHeaders(dice),
  }
  return { caller, request: { method: operation.method, address, headers, ...(body !== undefined && { body }) } }
}

function callerOf({ 'x-roles': roles }: ApiOperation, dice: Dice): CallerName | undefined {
  if (dice.chance(0.04)) return undefined
  const wanted =
    roles.includes('open') || dice.chance(0.08) ? CALLERS : CALLERS.filter(name => roles.includes(roleOf(name)))
  if (!roles.includes('device') && dice.chance(0.2)) return 'admin'
  return dice.any(wanted)
}

function addressOf({ dice, values }: Planner, { path, parameters = [] }: ApiOperation): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    if (dice.chance(0.02)) return dice.any(['%zz', '%00', '%ff', '%2f', '%', '.', '..', '%E0%A4%A']) ?? ''
    return encode(values.text({ minLength: 1, maxLength: 3000 }, name)) || 'x'
  })
  const requested = parameters.filter(
    one => one.in === 'query' && (one.required ? !dice.chance(0.05) : dice.chance(0.5)),
  )
  const query = requested.map(({ name, schema }) => {
    const value = dice.chance(0.15) ? hostile(dice) : values.fitting(schema, name)
    return `${encode(name)}=${encode(String(value).slice(0, 3000))}`
  })
  if (dice.chance(0.03)) query.push(`${encode(hostile(dice).slice(0, 1000))}=${encode(hostile(dice).slice(0, 1000))}`)
  if (dice.chance(0.01)) query.push(dice.any(['%zz=1', '=', '&&', '__proto__[a]=1', 'a']) ?? '')
  return filled + (query.length > 0 ? `?${query.join('&')}` : '')
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

function bodyOf(
  { dice, values }: Planner,
  { operationId, requestBody }: ApiOperation,
  continued: (push: JsonValue) => JsonValue,
): string | Buffer | undefined {
  if (!requestBody) return dice.chance(0.05) ? '{}' : undefined
  const [[type, content] = []] = Object.entries(requestBody.content)
  if (type === 'application/octet-stream') return Buffer.from(values.text({ maxLength: 300 }))
  if (dice.chance(0.04)) return dice.any(RAW_BODIES)
  if (dice.chance(0.01)) return undefined
  const fitting = values.fitting(content?.schema ?? {})
  const meant = dice.chance(0.8) ? meantBy(operationId, fitting, { continued, dice }) : fitting
  return JSON.stringify(dice.chance(0.3) ? spoil(meant, values, dice) : meant)
}

interface PushContext {
  readonly continued: (push: JsonValue) => JsonValue
  readonly dice: Dice
}

/** What schemas do not say of a body: pushes go on, and a new user has a login and a password. */
function meantBy(operationId: string, fitting: JsonValue, { continued, dice }: PushContext): JsonValue {
  if (operationId === 'device.push') return continued(fitting)
  if (operationId !== 'users.create') return fitting
  const { attributes, ...rest } = fitting as { readonly attributes: { readonly [name: string]: JsonValue } }
  const login = dice.chance(0.7) ? `user${dice.below(20)}` : hostile(dice)
  return { ...rest, attributes: { ...attributes, login, password: dice.chance(0.9) ? 'a long one' : hostile(dice) } }
}

function mediaOf({ requestBody }: ApiOperation, dice: Dice): string {
  const [type = 'application/json'] = Object.keys(requestBody?.content ?? {})
  return dice.chance(0.98)
    ? type
    : (dice.any(['text/plain', 'application/json; charset=latin1', 'multipart/form-data', 'x', '']) ?? '')
}

function strangeHeaders(dice: Dice): { readonly [name: string]: string } {
  if (dice.chance(0.97)) return {}
  return (
    dice.any<{ readonly [name: string]: string }>([
      { 'X-Sync-CLIENT-ID': '__proto__' },
      { 'X-Sync-API-TOKEN': 'constructor' },
      { authorization: 'Bearer __proto__' },
      { authorization: 'Bearer ' },
      { cookie: 'sync_session=toString; sync_session=', origin: 'null' },
      { origin: 'https://evil.example' },
      { range: 'bytes=5-2' },
      { 'if-none-match': '*' },
      { 'content-encoding': 'gzip' },
      { 'x-forwarded-for': '1.2.3.4, __proto__' },
    ]) ?? {}
  )
}

/** The value with one fault: a member that is missing, of another kind, or one too many. */
function spoil(value: JsonValue, values: ValueMaker, dice: Dice): JsonValue {
  if (Array.isArray(value) && value.length > 0 && dice.chance(0.6)) {
    const at = dice.below(value.length)
    return value.map((item, index) => (index === at ? spoil(item, values, dice) : item))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return values.anything()
  const copy = emptyRecord<JsonValue>()
  for (const [name, member] of Object.entries(value)) copy[name] = member
  const name = dice.any(Object.keys(copy))
  const fault = dice.below(4)
  if (name === undefined || fault === 0) copy[values.text({})] = values.anything()
  else if (fault === 1) delete copy[name]
  else copy[name] = fault === 2 ? values.anything() : spoil(copy[name] ?? null, values, dice)
  return copy
}
