import type { Attributes, ObjectId, SearchFor } from '@godwit/protocol'
import type { ChangesPart, CreateAnswer } from '@godwit/source'

/** The context of every call. */
export interface CallContext {
  /** The login of the user that the call is for; `*` for all users of an app source. */
  readonly user: string
  /** The attributes of that user, on a server that accepts tokens of an identity provider. Empty if there are none. */
  readonly claims: Attributes
  /** `*` for app sources, else the user's login or the name of a shared partition. */
  readonly partition: string
  /** Aborted when the server no longer waits for the answer. */
  readonly signal: AbortSignal
}

/** The context of `create`, `update` and `delete`. */
export interface WriteCallContext extends CallContext {
  /** The same for every call of one change: store it, and ignore repeated calls. */
  readonly idempotencyKey: string
}

type Awaitable<T> = T | Promise<T>
type Objects<A> = { readonly [id: ObjectId]: A }

/** The functions of one source. A call that needs a missing one is answered with 404. They mean what the methods of `defineSource` mean. */
export interface PluginSource<A = Attributes> {
  /** Returns all objects of the partition, as one object map or a stream of partial ones. */
  query?(
    context: CallContext & { readonly parameters: { readonly [name: string]: string } },
  ): Awaitable<Objects<A>> | AsyncIterable<Objects<A>>
  /** Returns those of the objects that exist. */
  get?(ids: readonly ObjectId[], context: CallContext): Awaitable<Objects<A>>
  /** Yields what changed since the cursor; from `null` all objects. Throw `cursorGone()` for an unknown cursor. */
  changes?(context: CallContext & { readonly cursor: string | null }): AsyncIterable<ChangesPart<A>>
  create?(attributes: A, context: WriteCallContext): Awaitable<CreateAnswer<A>>
  /** Returned attributes override the changes. A removed attribute is `null`. */
  update?(
    id: ObjectId,
    changes: { [Name in keyof A]?: A[Name] | null },
    context: WriteCallContext,
  ): Awaitable<Partial<A> | undefined | void>
  delete?(id: ObjectId, context: WriteCallContext): Awaitable<void>
  search?(
    search: SearchFor,
    context: CallContext & { readonly offset: number; readonly limit: number },
  ): Awaitable<Objects<A>>
}
