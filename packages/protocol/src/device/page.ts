import type { ObjectId, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import {
  anything,
  boolean,
  integer,
  list,
  literal,
  mapOf,
  object,
  oneOf,
  optional,
  type Schema,
  string,
} from '../schema.js'
import type { PROTOCOL_VERSION } from '../version.js'
import { MAX_PAGE_SIZE } from './limits.js'
import { type Outcome, outcomeSchema, type SourceError, sourceErrorSchema } from './outcome.js'

/** What a device asks of one source. */
export interface Pull {
  /** The token of the last page that was applied. Absent or unreadable: a pass from zero. */
  readonly token?: string
  /** Rows a page: 0 to 10,000; 0 = counts only, the token stays. Default 500. */
  readonly p_size?: number
  /** Every outcome up to this number has been applied on the device. Default 0. */
  readonly acknowledged?: number
  /** Nothing of what is answered may be kept on the server: refused (`value_not_allowed`) unless the source passes through. Default false. */
  readonly pass_through?: boolean
}

/** The same as a JSON body: its address is the same for every page, so that a browser asks once whether it may call it. */
export interface PullBody extends Pull {
  /** Reaches the query of the source, as other members of the query string of a GET do. */
  readonly parameters?: { readonly [name: string]: string }
}

/** One answer to a pull. Members that would be empty are left out; the order of a map's members means nothing. */
export interface Page {
  /** Of this protocol. */
  readonly version: typeof PROTOCOL_VERSION
  /** The collection's epoch. Another than before: the device voids token, row versions and `seen`, and numbers from 1. */
  readonly epoch: string
  /** Opaque. Stored in the transaction that applies the page, and sent with the next pull. */
  readonly token: string
  /** Ask again at once: the pass goes on, or outcomes are left. */
  readonly more: boolean
  /** `resync`: on every page of a pass that replaces what the device has; its end removes rows of other passes. */
  readonly status: 'ok' | 'resync'
  /** The pass, stored with each row that a page brings. */
  readonly pass: string
  /** Present on the page that ends the pass. */
  readonly ends?: true
  /** On the page that ends a pass: the collection's version that it was read at. Everything up to it is on the device now, removals too that a pass from zero leaves out. */
  readonly head?: number
  /** Inserts and deletes of this page. */
  readonly count: number
  /** Inserts and deletes of this pass so far, this page included. */
  readonly progress_count: number
  /** Live objects of the collection. */
  readonly total_count: number
  /** Whole objects, new or changed. */
  readonly insert?: ObjectMap
  /** The version of each object in `insert` and each id in `delete`. */
  readonly versions?: { readonly [id: ObjectId]: number }
  /** Ids of objects that are gone. */
  readonly delete?: readonly ObjectId[]
  /** On the page that ends a pass: Σ hash64(id, version) over live objects, 16 hexadecimal digits. */
  readonly checksum?: string
  /** Outcomes after `acknowledged`, in their order. */
  readonly outcomes?: readonly Outcome[]
  /** Temporary id → real id, of the outcomes in this page. */
  readonly links?: { readonly [temporary: ObjectId]: ObjectId }
  /** Why the last query of the source failed, until one succeeds. */
  readonly source_error?: SourceError
  /** What the source says about itself, for the app. */
  readonly metadata?: { readonly [name: string]: unknown }
  /** The schema that the source declares. */
  readonly schema?: { readonly [name: string]: unknown }
}

const pull = {
  token: optional(string({ maxLength: 4096 })),
  p_size: optional(integer({ minimum: 0, maximum: MAX_PAGE_SIZE })),
  acknowledged: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  pass_through: optional(boolean),
} as const

export const pullSchema: Schema<Pull> = object<Pull>(pull)

export const pullBodySchema: Schema<PullBody> = object<PullBody>({ ...pull, parameters: optional(mapOf(string())) })

const freeForm = mapOf(anything) as Schema<{ readonly [name: string]: unknown }>

export const pageSchema: Schema<Page> = object<Page>({
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
  metadata: optional(freeForm),
  schema: optional(freeForm),
})
