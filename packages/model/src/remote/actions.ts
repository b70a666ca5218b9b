import type { BlobRef } from '../definition/attribute-types.js'
import type { Sdk } from '../sdk/sdk.js'
import type { BlobLike } from '../typed/attribute.js'
import type { Models } from '../typed/infer.js'

/** Functions of the worker that pages call by name. Each is one transaction and must be synchronous: a promise is refused. */
export interface Actions<Ms> {
  readonly [name: string]: (sdk: Sdk<Ms>, ...args: never[]) => unknown
}

/** Defines actions: several steps, or a read and the write that depends on it, in one transaction. */
export const defineActions = <Ms extends Models<Ms>, const A extends Actions<Ms>>(_models: Ms, actions: A): A => actions

/** The argument that a page passes for a parameter `T`: a `File` or `Blob` for a blob of the device. */
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

/** `remoteActions<typeof actions>()` passes the types of the worker's actions to a page without importing their code. */
export const remoteActions = <A>(): ActionTypes<A> => ({})
