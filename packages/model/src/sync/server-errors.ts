import type { Attributes, ObjectId } from '@godwit/protocol'
import type { SdkEvent } from './events.js'

/** A change of one object that the server did not take. */
export interface RefusedObject {
  /** Why: a code as of `error_code`, and the message of the source. */
  readonly code: string
  readonly message: string
  /** What the app wanted; of a delete, what the object had. */
  readonly attributes: Attributes
}

/** Refused changes by their kind and object: of several of one object the latest. All of them are in `Sdk.refused()`. */
export interface ServerErrors {
  readonly 'create-error'?: { readonly [object: ObjectId]: RefusedObject }
  readonly 'update-error'?: { readonly [object: ObjectId]: RefusedObject }
  /** What the objects of `update-error` had before. */
  readonly 'update-rollback'?: { readonly [object: ObjectId]: { readonly attributes: Attributes } }
  readonly 'delete-error'?: { readonly [object: ObjectId]: RefusedObject }
  /** The backend failed at its query. */
  readonly 'query-error'?: { readonly message: string }
}

export type RefusalEvent = SdkEvent & { readonly kind: 'refused' | 'conflict' }

/** Kinds without any are left out. */
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
