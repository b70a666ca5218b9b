import { list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Asks why an object is, or is not, on a user's devices. */
export interface Explain {
  /** The name of a source. */
  readonly source: string
  /** A login; `*` for the shared partition of an app source. */
  readonly user: string
  /** The id of the object. Either this or `contains` is required. */
  readonly object?: string
  /** A text in an attribute of the object, ignoring case: the first of the objects that have it, in order of id, is explained. */
  readonly contains?: string
  /** A client of the user. Default: all clients of the user; the one that lacks the object decides. */
  readonly client?: string
}

/** Why an object is, or is not, on a device, with the findings in the order of the checks. */
export interface Explanation {
  /**
   * Whether the object is on the device.
   *
   * - `yes`: the device has the object in its current state, or created it and waits for its outcome.
   * - `delivered`: the last pass that was sent to the device had the object in its current state; the device confirms that with its next request.
   * - `next_pull`: the server has the object, and the next pull delivers it (or, for a client, its current state).
   * - `next_file`: the source is bulk_only; the device has the object as in the last file that it loaded, and its current state comes with the next.
   * - `no`: the device does not have it, and no pull delivers it as things stand.
   * - `until_next_pull`: the object was removed, and the device has not pulled the removal yet.
   */
  readonly on_device: 'yes' | 'delivered' | 'next_pull' | 'next_file' | 'no' | 'until_next_pull'
  /** The id of the object that is explained; null if none has the text. */
  readonly object: string | null
  /** Findings, in the order of the checks. */
  readonly findings: readonly Finding[]
}

/** The result of one check. */
export interface Finding {
  /** `text_found`, `text_not_found`, `user_unknown`, `user_missing`, `user_barred`, `user_locked`, `source_unknown`, `bulk_only`, `partition`, `never_opened`, `no_query`, `never_queried`, `queried`, `query_failed`, `removals_pending`, `query_due`, `query_requested`, `object_present`, `object_removed`, `object_unknown`, `mutation_queued`, `mutation_started`, `mutation_in_doubt`, `client_unknown`, `client_of_another_user`, `client_none_named`, `client_none`, `client_never_pulled`, `client_has_it`, `client_was_sent`, `client_made_it`, `client_has_not`, `client_behind`, `clients_more` */
  readonly code: string
  /** The finding as a sentence. */
  readonly message: string
}

const text = string({ minLength: 1 })

export const explainSchema: Schema<Explain> = object<Explain>({
  source: text,
  user: text,
  object: optional(text),
  contains: optional(string({ minLength: 1, maxLength: 256 })),
  client: optional(text),
})

export const explanationSchema: Schema<Explanation> = object<Explanation>({
  on_device: oneOf('yes', 'delivered', 'next_pull', 'next_file', 'no', 'until_next_pull'),
  object: nullable(string()),
  findings: list(object<Finding>({ code: string(), message: string() })),
})
