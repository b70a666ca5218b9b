import { list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Asks why an object is, or is not, on a user's devices. */
export interface Explain {
  /** The name of a source. */
  readonly source: string
  /** A login; `*` for the shared partition of an app source. */
  readonly user: string
  /** The id of the object. */
  readonly object: string
  /** A client of the user. Default: all clients of the user; the one that lacks the object decides. */
  readonly client?: string
}

/** Why an object is, or is not, on a device, with the findings in the order of the checks. */
export interface Explanation {
  /**
   * Whether the object is on the device.
   *
   * - `yes`: the device has the object in its current state.
   * - `next_pull`: the server has the object, and the next pull delivers it (or, for a client, its current state).
   * - `no`: neither the server nor any device that has pulled has it.
   * - `until_next_pull`: the object was removed, and the device has not pulled the removal yet.
   */
  readonly on_device: 'yes' | 'next_pull' | 'no' | 'until_next_pull'
  /** Findings, in the order of the checks. */
  readonly findings: readonly Finding[]
}

/** The result of one check. */
export interface Finding {
  /** `user_unknown`, `user_barred`, `user_locked`, `source_unknown`, `bulk_only`, `partition`, `never_opened`, `no_query`, `never_queried`, `queried`, `query_failed`, `query_due`, `query_asked`, `object_present`, `object_removed`, `object_unknown`, `mutation_queued`, `mutation_started`, `mutation_in_doubt`, `client_unknown`, `client_of_another_user`, `client_never_asked`, `client_has_it`, `client_behind`, `clients_more` */
  readonly code: string
  /** The finding as a sentence. */
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
