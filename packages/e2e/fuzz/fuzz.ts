import { Dice } from '../simulator/world/dice.js'
import { type CallerName, Callers, roleOf } from './callers.js'
import { type ApiDocument, type ApiOperation, fetchDocument } from './document.js'
import { Judge } from './judge.js'
import { KnownNames } from './known-names.js'
import { type PlannedRequest, type Planner, planRequest } from './plan-request.js'
import { PushNumbers } from './push-numbers.js'
import type { RawAnswer } from './send.js'
import { straysOf } from './strays.js'
import { ValueMaker } from './values.js'
import { FuzzWorld, type StoreName } from './world.js'

export interface Fuzz {
  readonly seed: number
  readonly requests: number
  readonly store: StoreName
  /** Hears of each fault, once for each operation and kind. */
  readonly onFault?: (fault: FuzzFault) => void
}

export interface FuzzFault {
  /** The how-manieth request. */
  readonly at: number
  readonly operation: string
  readonly what: string
  readonly planned: PlannedRequest
}

export interface FuzzResult {
  readonly faults: readonly FuzzFault[]
  /** What the server logged as an error. */
  readonly logged: readonly string[]
  /** Status → how many answers had it. */
  readonly statuses: { readonly [status: string]: number }
  /** Operations that answered 200 at least once. */
  readonly succeeded: ReadonlySet<string>
}

/** Random requests to every route of a server, each answer held against the server's own document; then the store is looked through. */
export async function fuzz({ seed, requests, store, onFault = () => {} }: Fuzz): Promise<FuzzResult> {
  const world = await FuzzWorld.open(seed, store)
  await world.start()
  const run = new FuzzRun(seed, world, await fetchDocument(world.url))
  const faults = new Map<string, FuzzFault>()
  for (let at = 1; at <= requests; at++) {
    const fault = await run.one(at)
    const kind = fault && `${fault.operation} ${fault.what.replace(/\d+|[\w-]{16,}/g, '').slice(0, 40)}`
    if (!fault || kind === undefined || faults.has(kind)) continue
    faults.set(kind, fault)
    onFault(fault)
  }
  await world.end()
  return { faults: [...faults.values()], logged: world.failures, statuses: run.statuses, succeeded: run.succeeded }
}

class FuzzRun {
  readonly statuses: Record<string, number> = {}
  readonly succeeded = new Set<string>()
  readonly #dice: Dice
  readonly #world: FuzzWorld
  readonly #known = new KnownNames()
  readonly #document: ApiDocument
  readonly #strays: readonly ApiOperation[]
  readonly #judge: Judge
  readonly #planner: Planner

  constructor(seed: number, world: FuzzWorld, document: ApiDocument) {
    this.#dice = new Dice(seed)
    this.#world = world
    this.#document = document
    this.#strays = straysOf(document)
    this.#judge = new Judge(document)
    teach(this.#known)
    this.#planner = {
      dice: this.#dice,
      values: new ValueMaker(this.#dice, document.schemas, this.#known),
      callers: new Callers(world, this.#known),
      numbers: new PushNumbers(),
    }
  }

  async one(at: number): Promise<FuzzFault | undefined> {
    this.#world.pass(this.#dice.chance(0.0005) ? 31 * 24 * 3600 : this.#dice.below(5))
    const operation = this.#anyOperation()
    const planned = await planRequest(this.#planner, operation)
    try {
      const answer = await this.#world.sender.send(planned.request)
      this.#record(operation, planned, answer)
      const what = this.#judge.fault(operation, answer)
      return what === undefined ? undefined : { at, operation: operation.operationId, what, planned }
    } catch (error) {
      return { at, operation: operation.operationId, what: `no answer: ${String(error)}`, planned }
    }
  }

  /** A reset takes most of what the others need, so it is rare. */
  #anyOperation(): ApiOperation {
    const from = this.#dice.chance(0.03) ? this.#strays : this.#document.operations
    const operation = this.#dice.any(from) as ApiOperation
    return operation.operationId === 'system.reset' && this.#dice.chance(0.9) ? this.#anyOperation() : operation
  }

  #record(
    { operationId, 'x-roles': roles }: ApiOperation,
    { caller, request }: PlannedRequest,
    { status, headers, body }: RawAnswer,
  ): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status === 401 && caller !== undefined && isFor(roles, caller)) this.#planner.callers.forget(caller)
    if (status !== 200) return
    this.succeeded.add(operationId)
    if (operationId === 'device.login' || operationId === 'system.login') return
    if (!String(headers['content-type']).startsWith('application/json')) return
    const said: unknown = JSON.parse(body.toString())
    this.#known.learn(said)
    this.#planner.numbers.learn(request, said)
  }
}

/** Whether a 401 means that the caller is logged in no more: a session is nothing to other routes anyway. */
const isFor = (roles: readonly string[], caller: CallerName): boolean =>
  roles.includes('device') === (roleOf(caller) === 'device')

const NAMES: { readonly [kind: string]: readonly string[] } = {
  source: ['City', 'Visit', 'Note', 'Bad', 'Bulk'],
  doc: ['md', 'md_size', 'errors', 'metadata', 'schema', 'cd', 'cd_size', 'page_token', 'links', 'notes', 'settings'],
  partition_type: ['app', 'user'],
  object: ['object0', 'object1', 'object2', 'object3'],
  login: ['*', 'ada', 'grace'],
  password: ['ada', 'grace', 'olga'],
  device_type: ['android', 'apple'],
}

function teach(known: KnownNames): void {
  for (const [kind, names] of Object.entries(NAMES)) for (const name of names) known.add(kind, name)
}
