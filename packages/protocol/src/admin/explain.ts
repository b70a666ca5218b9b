import { list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Which object, for whom. */
export interface Explain {
  /** The name of a source. */
  readonly source: string
  /** A login; `*` for the shared partition of an app source. */
  readonly user: string
  /** The id of the object. */
  readonly object: string
  /** A client of the user. Absent: each client of the user is looked at, and the one that lacks the object decides. */
  readonly client?: string
}

/** Why an object is, or isn't, on a device: what was found, in the order in which it was looked for. */
export interface Explanation {
  /**
   * - `yes`: the device has it, as it stands now.
   * - `next_pull`: the server has it, and the next pull brings it (of a client: or its present state).
   * - `no`: the server does not have it, and no device that has pulled.
   * - `until_next_pull`: it was removed, and the device has not heard of it.
   */
  readonly on_device: 'yes' | 'next_pull' | 'no' | 'until_next_pull'
  /** In the order in which they were made. */
  readonly findings: readonly Finding[]
}

/** One thing that was found on the way. */
export interface Finding {
  /** `user_unknown`, `user_barred`, `user_locked`, `source_unknown`, `bulk_only`, `partition`, `never_opened`, `no_query`, `never_queried`, `queried`, `query_failed`, `query_due`, `query_asked`, `object_present`, `object_removed`, `object_unknown`, `mutation_queued`, `mutation_started`, `mutation_in_doubt`, `client_unknown`, `client_of_another_user`, `client_never_asked`, `client_has_it`, `client_behind`, `clients_more` */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
}

const text = string({ minLength: 1 })

export const explainSchema: Schema<Explain> = object<Explain>({
  source: text,
  user: text,
  object: text,
  client: optional(text),
})

export const explanationSchema: Schema<Explanation> = object<Explanation>({
  on_device: oneOf('yes', 'next_pull', 'no', 'until_next_pull'),
  findings: list(object<Finding>({ code: string(), message: string() })),
})
