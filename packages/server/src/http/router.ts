import { emptyRecord, type RouteLine, routes, SyncError } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { type Check, compile } from '@godwit/protocol/validate'
import { requestKey } from '../admin/measure/metric-keys.js'
import { bare } from './bare.js'
import type { AllHandlers, AnyHandlerRequest, AuditRule } from './handler.js'
import type { HttpEngine } from './http-engine.js'
import { once } from './once.js'
import { decodePart } from './query-string.js'

/** A route with its checks and handler. */
export interface Endpoint {
  /** Group and name, as in `users.delete`. */
  readonly name: string
  readonly route: RouteLine
  /** The metric key of its requests. */
  readonly key: string
  /** The parameters of its path, in order. */
  readonly names: readonly string[]
  /** Compiled at first use. Undefined if the route has no query. */
  readonly checkQuery: (() => Check<unknown>) | undefined
  readonly checkBody: (() => Check<unknown>) | undefined
  /** Undefined if the audit log does not record the route. */
  readonly audited: AuditRule | undefined
  readonly handle: (engine: HttpEngine, request: AnyHandlerRequest) => unknown
}

/** The endpoint of a path, with its decoded path parameters. */
export interface RouteMatch {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

interface PathNode {
  readonly literal: Map<string, PathNode>
  parameter?: PathNode
  readonly methods: Map<string, Endpoint>
}

const newNode = (): PathNode => ({ literal: new Map(), methods: new Map() })
const segmentsOf = (path: string): readonly string[] => bare(path).slice(1).split('/')

/**
 * Finds the endpoint of a request. A literal segment precedes a parameter if both have the method, so that a user may have the name of a route;
 * parameters are percent-decoded and never empty.
 */
export class Router {
  readonly #root = newNode()

  constructor(handlers: AllHandlers) {
    for (const endpoint of endpointsOf(handlers)) this.#add(endpoint)
  }

  match(method: string, path: string): RouteMatch {
    const wanted = method === 'HEAD' ? 'GET' : method
    const values: string[] = []
    const endpoint = find(this.#root, segmentsOf(path), 0, { values, wanted })
    if (!endpoint) {
      const methods = this.methods(path)
      if (methods.length > 0) throw notAllowed(method, methods)
      throw new SyncError('route_not_found', `There is no route ${method} ${path.slice(0, 200)}.`)
    }
    const parameters = emptyRecord<string>()
    for (let index = 0; index < values.length; index++)
      parameters[endpoint.names[index] ?? ''] = decodePart(values[index] ?? '')
    return { endpoint, parameters }
  }

  /** Returns the methods of a path; empty if there is no such path. */
  methods(path: string): readonly string[] {
    const methods = new Set(nodesOf(this.#root, segmentsOf(path), 0).flatMap(node => [...node.methods.keys()]))
    if (methods.size === 0) return []
    return [...methods].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')
  }

  #add(endpoint: Endpoint): void {
    let node = this.#root
    for (const segment of segmentsOf(endpoint.route.path)) {
      const next = segment.startsWith('<') ? (node.parameter ?? newNode()) : (node.literal.get(segment) ?? newNode())
      if (segment.startsWith('<')) node.parameter = next
      else node.literal.set(segment, next)
      node = next
    }
    node.methods.set(endpoint.route.method, endpoint)
  }
}

interface PathSearch {
  readonly values: string[]
  readonly wanted: string
}

function find(node: PathNode, segments: readonly string[], at: number, sought: PathSearch): Endpoint | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.methods.get(sought.wanted)
  const literal = node.literal.get(segment)
  const found = literal && find(literal, segments, at + 1, sought)
  if (found || !node.parameter || segment === '') return found
  sought.values.push(segment)
  const below = find(node.parameter, segments, at + 1, sought)
  if (!below) sought.values.pop()
  return below
}

/** Returns the nodes that match a path, literal segments first; their methods together are those of the path. */
function nodesOf(node: PathNode, segments: readonly string[], at: number): readonly PathNode[] {
  const segment = segments[at]
  if (segment === undefined) return [node]
  const below = [node.literal.get(segment), segment === '' ? undefined : node.parameter]
  return below.flatMap(next => (next ? nodesOf(next, segments, at + 1) : []))
}

const notAllowed = (method: string, methods: readonly string[]): SyncError =>
  new SyncError('method_not_allowed', `This path has no ${method}; it has ${methods.join(', ')}.`, {
    details: { allow: methods.join(', ') },
  })

function endpointsOf(handlers: AllHandlers): readonly Endpoint[] {
  return Object.entries(routes).flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines).map(([name, route]) => ({
      name: `${group}.${name}`,
      route,
      key: requestKey(route),
      names: [...route.path.matchAll(/<([^>]+)>/g)].map(([, parameter = '']) => parameter),
      ...checksOf(entryAt(schemas, group, name)),
      ...partsOf(entryAt(handlers, group, name)),
    })),
  )
}

// The tables have the same keys, as their types ensure; a loop over them loses those types.
const entryAt = <T>(table: object, group: string, name: string): T =>
  (table as Record<string, Record<string, T>>)[group]?.[name] as T

type EndpointHandler = Endpoint['handle'] | { readonly handle: Endpoint['handle']; readonly audit: AuditRule }

const partsOf = (handler: EndpointHandler): Pick<Endpoint, 'handle' | 'audited'> =>
  typeof handler === 'function'
    ? { handle: handler, audited: undefined }
    : { handle: handler.handle, audited: handler.audit }

type RequestSchemas = { readonly query?: object; readonly body?: object }

const checksOf = ({ query, body }: RequestSchemas): Pick<Endpoint, 'checkQuery' | 'checkBody'> => ({
  checkQuery: query && once(() => compile(query as never, { what: 'query', fromText: true })),
  checkBody: body && once(() => compile(body as never)),
})
