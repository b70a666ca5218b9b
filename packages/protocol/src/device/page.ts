import type { ObjectId, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import {
  anything,
  boolean,
  integer,
  list,
  literal,
  type Members,
  mapOf,
  object,
  oneOf,
  optional,
  type Schema,
  string,
} from '../schema.js'
import type { PROTOCOL_VERSION } from '../version.js'
import { MAX_PAGE_SIZE, MAX_PULLS } from './limits.js'
import { type Outcome, outcomeSchema, type SourceError, sourceErrorSchema } from './outcome.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'

/** Requests changes of one source. */
export interface Pull {
  /** The token of the last page applied. If absent or unreadable, the pass starts from zero. */
  readonly token?: string
  /** Rows per page, 0 to 10,000, but at most 1 MiB of them, or one row; 0 returns counts only and leaves the token unchanged. Default 500. */
  readonly p_size?: number
  /** The device has applied all outcomes up to this number. Default 0. */
  readonly acknowledged?: number
  /** If true, the server must not store the content: refused (`value_not_allowed`) unless the source is a pass-through source. Default false. */
  readonly pass_through?: boolean
  /**
   * For a pull that is sent while the page of `token` is still being stored: the token of the last page stored, or an empty text without one. Default:
   * `token`.
   */
  readonly stored_token?: string
}

/** A pull as a JSON body. The URL is the same for every page, so a browser sends one CORS preflight request for all pages. */
export interface PullBody extends Pull {
  /** Parameters of the source's query, like other members of the query string of a GET. Not for a source with `by`. */
  readonly parameters?: { readonly [name: string]: string }
  /**
   * For a source with `by`: the partitions to pull, at most 1,000; then all other members but `subscribed` have no effect. The answer has a page for
   * each of them, and the partitions that the server lists for the user.
   */
  readonly pulls?: readonly PartitionPull[]
  /** True if `pulls` names every partition that the device wants. Default false. */
  readonly subscribed?: boolean
}

/** Requests changes of one partition of a source with `by`. */
export interface PartitionPull extends Omit<Pull, 'pass_through'> {
  readonly parameters: PartitionParameters
}

/** A page of changes. Empty members are omitted; the order of map members is not significant. */
export interface Page {
  /** The protocol version. */
  readonly version: typeof PROTOCOL_VERSION
  /** The collection's epoch. If it changed, the device discards token, row versions and `seen`, and restarts numbers from 1. */
  readonly epoch: string
  /** Opaque. Store it in the transaction that applies the page, and send it with the next pull. */
  readonly token: string
  /** True if the pass has more pages, or more outcomes are available: pull again at once. */
  readonly more: boolean
  /** `resync`: the pass replaces the device's data; set on all of its pages. After the last one, the device removes rows of other passes. */
  readonly status: 'ok' | 'resync'
  /** The id of the pass; store it with each row of the page. */
  readonly pass: string
  /** Present on the last page of a pass. */
  readonly ends?: true
  /**
   * On the last page of a pass: the collection version that the pass has read. The device is then complete up to it, including removals that a pass
   * from zero omits.
   */
  readonly head?: number
  /** Inserts and deletes in this page. */
  readonly count: number
  /** Inserts and deletes in this pass so far, including this page. */
  readonly progress_count: number
  /** Live objects of the collection. */
  readonly total_count: number
  /** New or changed objects, with all attributes. */
  readonly insert?: ObjectMap
  /** The version of each object in `insert` and each id in `delete`. */
  readonly versions?: { readonly [id: ObjectId]: number }
  /** Ids of removed objects. */
  readonly delete?: readonly ObjectId[]
  /** On the last page of a pass: Σ hash64(id, version) over live objects, 16 hexadecimal digits. */
  readonly checksum?: string
  /** Outcomes after `acknowledged`, in order. */
  readonly outcomes?: readonly Outcome[]
  /** Temporary ids with their real ids, from the outcomes in this page. */
  readonly links?: { readonly [temporary: ObjectId]: ObjectId }
  /** Why the last query of the source failed; present until one succeeds. */
  readonly source_error?: SourceError
  /** Since when the source's feed is silent, ISO 8601: what changed in the backend later may be missing. Absent: it is up to date, or there is none. */
  readonly stale_since?: string
  /** Metadata that the source provides for the app. */
  readonly metadata?: { readonly [name: string]: unknown }
  /** The schema that the source declares. */
  readonly schema?: { readonly [name: string]: unknown }
}

const position = {
  token: optional(string({ maxLength: 4096 })),
  p_size: optional(integer({ minimum: 0, maximum: MAX_PAGE_SIZE })),
  acknowledged: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  stored_token: optional(string({ maxLength: 4096 })),
} as const

const pull = { ...position, pass_through: optional(boolean) } as const

export const pullSchema: Schema<Pull> = object<Pull>(pull)

export const pullBodySchema: Schema<PullBody> = object<PullBody>({
  ...pull,
  parameters: optional(mapOf(string())),
  pulls: optional(list(object<PartitionPull>({ ...position, parameters: parametersSchema }), { maxItems: MAX_PULLS })),
  subscribed: optional(boolean),
})

const freeForm = mapOf(anything) as Schema<{ readonly [name: string]: unknown }>

export const pageMembers: Members<Page> = {
  version: literal(4),
  epoch: string({ minLength: 1 }),
  token: string({ minLength: 1 }),
  more: boolean,
  status: oneOf('ok', 'resync'),
  pass: string(),
  ends: optional(literal(true)),
  head: optional(integer({ minimum: 0 })),
  count: integer({ minimum: 0 }),
  progress_count: integer({ minimum: 0 }),
  total_count: integer({ minimum: 0 }),
  insert: optional(objectMapSchema),
  versions: optional(mapOf(integer({ minimum: 0 }))),
  delete: optional(list(string())),
  checksum: optional(string({ pattern: '^[0-9a-f]{16}$' })),
  outcomes: optional(list(outcomeSchema)),
  links: optional(mapOf(string())),
  source_error: optional(sourceErrorSchema),
  stale_since: optional(string()),
  metadata: optional(freeForm),
  schema: optional(freeForm),
}

export const pageSchema: Schema<Page> = object<Page>(pageMembers)
