import type { Attributes, ObjectId } from '@godwit/protocol'
import type { SdkEvent } from './sdk-events.js'

/** A refused change of one object. */
export interface RefusedObject {
  /** The reason: a code, as in `error_code`, and the source's message. */
  readonly code: string
  readonly message: string
  /** The values that the app wrote; for a delete, those of the object. */
  readonly attributes: Attributes
}

/** Refused changes by kind and object: the latest of each object. `Sdk.refused()` has all of them. */
export interface ServerErrors {
  readonly 'create-error'?: { readonly [object: ObjectId]: RefusedObject }
  readonly 'update-error'?: { readonly [object: ObjectId]: RefusedObject }
  /** The former values of the objects in `update-error`. */
  readonly 'update-rollback'?: { readonly [object: ObjectId]: { readonly attributes: Attributes } }
  readonly 'delete-error'?: { readonly [object: ObjectId]: RefusedObject }
  /** The backend's query failed. */
  readonly 'query-error'?: { readonly message: string }
}

export type RefusalEvent = SdkEvent & { readonly kind: 'refused' | 'conflict' }

/** Groups refusals; empty kinds are omitted. */
export function serverErrors(refused: readonly RefusalEvent[]): ServerErrors {
  const of = (operation: RefusalEvent['operation']) => refused.filter(one => one.operation === operation)
  const [creates, updates, deletes] = [of('create'), of('update'), of('delete')]
  return {
    ...(creates.length > 0 && { 'create-error': byObject(creates) }),
    ...(updates.length > 0 && { 'update-error': byObject(updates), 'update-rollback': formerOf(updates) }),
    ...(deletes.length > 0 && { 'delete-error': byObject(deletes) }),
  }
}

const byObject = (refused: readonly RefusalEvent[]): { readonly [object: ObjectId]: RefusedObject } =>
  Object.fromEntries(
    refused.map(({ object, operation, attributes, was, error: { code, message } }) => [
      object,
      { code, message, attributes: operation === 'delete' ? was : attributes },
    ]),
  )

const formerOf = (refused: readonly RefusalEvent[]): { readonly [object: ObjectId]: { attributes: Attributes } } =>
  Object.fromEntries(refused.map(({ object, was }) => [object, { attributes: was }]))
