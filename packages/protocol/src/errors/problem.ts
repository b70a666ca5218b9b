import { integer, list, object, optional, type Schema, string } from '../schema.js'

/** How an error looks on the wire: RFC 9457, `application/problem+json`. */
export interface Problem {
  /** A URI reference that names the kind of problem: `/docs/errors#<code>`. */
  readonly type: string
  /** The same for every problem of this code. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** What was expected and what came. */
  readonly detail: string
  /** From the documented list of codes. A client takes one that it does not know by its status. */
  readonly code: string
  /** For `body_invalid`: where, as a JSON pointer, and what was expected there. */
  readonly errors?: readonly ProblemPart[]
  /** For `mutation_gap`: the number that comes next. */
  readonly expected?: number
  /** For `epoch_changed`: the present epoch. */
  readonly epoch?: string
  /** For `blob_missing`: the SHA-256 of the blobs that are not on the server. */
  readonly hashes?: readonly string[]
  /** For `quota_exceeded`: the name of the limit. */
  readonly limit?: string
}

/** One thing that is wrong. */
export interface ProblemPart {
  /** A JSON pointer into the body, the query or the answer. */
  readonly path: string
  /** What was expected there, and what came. */
  readonly message: string
}

/** The schema of a problem (RFC 9457), with `code` and what each error adds. */
export const problemSchema: Schema<Problem> = object<Problem>({
  type: string(),
  title: string(),
  status: integer({ minimum: 400, maximum: 599 }),
  detail: string(),
  code: string(),
  errors: optional(list(object<ProblemPart>({ path: string(), message: string() }))),
  expected: optional(integer({ minimum: 1 })),
  epoch: optional(string()),
  hashes: optional(list(string())),
  limit: optional(string()),
})
