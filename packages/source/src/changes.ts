import type { ObjectId } from '@godwit/protocol'
import type { ReadContext } from './context.js'

/** The context of `changes`. */
export interface ChangesContext extends ReadContext {
  /** The cursor of the last part that the server stored. `null`: it has none, and wants all objects of the partition. */
  readonly cursor: string | null
}

/**
 * A part of the changes of a partition. Later parts win over earlier ones; one part names an object once.
 *
 * @example
 * ```ts
 * yield { objects: { 17: { product: 'Lamp', amount: 3 } }, removed: ['18'], cursor: '812' }
 * ```
 */
export interface ChangesPart<A> {
  /** Objects that were created or changed, with all of their attributes. */
  readonly objects?: { readonly [id: ObjectId]: A }
  /** Ids of objects that are no longer in the partition. */
  readonly removed?: readonly (ObjectId | number)[]
  /**
   * Where to continue after this part, at most 64 KiB. Opaque to the server, which stores it in the same step as the part. From `null` it is from
   * before the first row that was read, so that nothing written meanwhile is missed. Absent: the next part has it; a run without any ends where it
   * began.
   */
  readonly cursor?: string
}

/** The changes since a cursor. Returning means that everything up to the call was yielded. */
export type ChangesResult<A> = AsyncIterable<ChangesPart<A>> | Iterable<ChangesPart<A>>
