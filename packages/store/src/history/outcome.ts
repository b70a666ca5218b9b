import type { Attributes, Mutation, Outcome, OutcomeStatus, SourceError } from '@godwit/protocol'
import type { StoredObjectState } from '../collections.js'
import type { MovedObject } from '../journal.js'
import { attributesText, parseAttributes, sameText } from './attributes-text.js'
import { overlay } from './change-object.js'

/** The facts that make up an outcome. */
export interface OutcomeFacts {
  /** The number of the outcome. */
  readonly outcome: number
  readonly mutation: Mutation
  readonly status: Exclude<OutcomeStatus, 'queued'>
  /** The real id, if it differs from the temporary one. */
  readonly link?: string | undefined
  readonly error?: SourceError | undefined
  readonly overwrote?: Attributes | undefined
  readonly moved?: MovedObject | undefined
  /** The head's version after all writes. */
  readonly version: number
  /** The object's state before and after the settlement. */
  readonly before: StoredObjectState
  readonly after: StoredObjectState
}

/** Builds the outcome for a device. It includes the object, unless the device saw the previous version and so already has exactly this content. */
export function outcomeOf({
  outcome,
  mutation,
  status,
  link,
  error,
  overwrote,
  moved,
  version,
  before,
  after,
}: OutcomeFacts): Outcome {
  return {
    outcome,
    number: mutation.number,
    status,
    ...(link !== undefined && link !== mutation.object && { link, object: mutation.object }),
    version: after.state === 'never' ? version : after.version,
    ...(after.state === 'live' && !isOnDevice(mutation, before, after.attributes) && { attributes: after.attributes }),
    ...(status === 'applied' && mutation.operation === 'update' && after.state !== 'live' && { removed: true }),
    ...(moved && { removed: true, moved: moved.parameters, attributes: moved.attributes }),
    ...(overwrote && { overwrote }),
    ...(error && { error }),
  }
}

function isOnDevice(mutation: Mutation, before: StoredObjectState, after: Attributes): boolean {
  if (mutation.operation !== 'update' || before.state !== 'live' || mutation.seen !== before.version) return false
  const view = overlay(mutation.attributes ?? {}, parseAttributes(attributesText(before.attributes)))
  return sameText(attributesText(view), attributesText(after))
}

/** Reduces an acknowledged outcome to the facts that decide about later mutations. */
export function outcomeWithoutContent({ attributes, overwrote, moved, error, ...rest }: Outcome): Outcome {
  return rest
}
