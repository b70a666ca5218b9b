import { integer, list, object, optional, type Schema, string } from '../schema.js'

/** An error response: RFC 9457, `application/problem+json`. */
export interface Problem {
  /** A URI reference that identifies the kind of problem: `/docs/errors#<code>`. */
  readonly type: string
  /** A fixed title for the code. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** What was expected, and what the request contained. */
  readonly detail: string
  /** A documented error code. Clients handle unknown codes by their status. */
  readonly code: string
  /** For `body_invalid`: the invalid values, with what was expected. */
  readonly errors?: readonly ProblemPart[]
  /** For `mutation_gap`: the next expected number. */
  readonly expected?: number
  /** For `epoch_changed`: the current epoch. */
  readonly epoch?: string
  /** For `blob_missing`: the SHA-256 of the blobs that are not on the server. */
  readonly hashes?: readonly string[]
  /** For `quota_exceeded`: the name of the limit. */
  readonly limit?: string
}

/** One invalid value. */
export interface ProblemPart {
  /** A JSON pointer into the body, query or response. */
  readonly path: string
  /** What was expected, and what the value was. */
  readonly message: string
}

/** The schema of a problem (RFC 9457), with `code` and the extension members. */
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
