import type { BlobRef } from '../definition/attribute-types.js'
import type { Sdk } from '../sdk.js'
import type { BlobLike } from '../typed/attribute.js'
import type { Models } from '../typed/infer.js'

/** Functions of the worker that pages call by name, each one transaction. They answer at once: a promise is refused. */
export interface Actions<Ms> {
  readonly [name: string]: (sdk: Sdk<Ms>, ...args: never[]) => unknown
}

/** Defines what pages cannot do from outside in one transaction: several steps, or a read and the write that follows from it. */
export const defineActions = <Ms extends Models<Ms>, const A extends Actions<Ms>>(_models: Ms, actions: A): A => actions

/** What a page may give where an action takes `T`: a `File` or `Blob` where it takes a blob of the device. */
export type ActionArgument<T> = T extends BlobRef
  ? BlobRef | BlobLike
  : T extends string | number | boolean | bigint | null | undefined | Date | Uint8Array
    ? T
    : T extends (...args: never) => unknown
      ? never
      : { readonly [K in keyof T]: ActionArgument<T[K]> }

/** The actions as a page calls them. */
export type RemoteActions<A> = {
  readonly [Name in keyof A]: A[Name] extends (sdk: never, ...args: infer Args) => infer Result
    ? (...args: { [K in keyof Args]: ActionArgument<Args[K]> }) => Promise<Result>
    : never
}

declare const ACTIONS: unique symbol
/** Carries the types of actions to a page. */
export interface ActionTypes<A> {
  readonly [ACTIONS]?: A
}

/** `remoteActions<typeof actions>()`: the types of the worker's actions, without a line of their code. */
export const remoteActions = <A>(): ActionTypes<A> => ({})
