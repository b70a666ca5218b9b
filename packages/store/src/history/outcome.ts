import type { Attributes, Mutation, Outcome, OutcomeStatus, SourceError } from '@godwit/protocol'
import type { StoredObjectState } from '../collections.js'
import { attributesText, parseAttributes, sameText } from './attributes-text.js'
import { lay } from './change-object.js'

/** What is known of a mutation when its outcome is written. */
export interface OutcomeFacts {
  /** The outcome's own number. */
  readonly outcome: number
  readonly mutation: Mutation
  readonly status: Exclude<OutcomeStatus, 'queued'>
  /** The real id, if it is another than the temporary one. */
  readonly link?: string | undefined
  readonly error?: SourceError | undefined
  /** The head's version after everything that was written. */
  readonly version: number
  /** The object just before the settlement and after it. */
  readonly before: StoredObjectState
  readonly after: StoredObjectState
}

/** The outcome that a device gets. It carries the object unless the device, which saw the version just before, has exactly that already. */
export function outcomeOf({ outcome, mutation, status, link, error, version, before, after }: OutcomeFacts): Outcome {
  return {
    outcome,
    number: mutation.number,
    status,
    ...(link !== undefined && link !== mutation.object && { link, object: mutation.object }),
    version: after.state === 'never' ? version : after.version,
    ...(after.state === 'live' && !isOnDevice(mutation, before, after.attributes) && { attributes: after.attributes }),
    ...(status === 'applied' && mutation.operation === 'update' && after.state !== 'live' && { removed: true }),
    ...(error && { error }),
  }
}

function isOnDevice(mutation: Mutation, before: StoredObjectState, after: Attributes): boolean {
  if (mutation.operation !== 'update' || before.state !== 'live' || mutation.seen !== before.version) return false
  const view = lay(mutation.attributes ?? {}, parseAttributes(attributesText(before.attributes)))
  return sameText(attributesText(view), attributesText(after))
}

/** An acknowledged outcome: the facts that decide about later mutations, without content. */
export function outcomeWithoutContent({ attributes, error, ...rest }: Outcome): Outcome {
  return rest
}
