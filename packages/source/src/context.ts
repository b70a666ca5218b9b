import type { Attributes, ObjectId, ObjectMap, PartitionParameters } from '@godwit/protocol'
import type { Log } from './log.js'

/** The context of every call of a source's method. */
export interface SourceContext {
  /** The login of the user that the call is for; `*` for all users of an app source. */
  readonly user: string
  /**
   * The attributes of that user, which with `oidc` and `jwt` follow the configured claims of each token, at most five seconds old. Empty for `*`, and
   * on a server that accepts no tokens.
   */
  readonly claims: Attributes
  /** `*` for app sources, else the user's login or the name from `partitionName`; for a source with `by`, the canonical JSON of `parameters`. */
  readonly partition: string
  /**
   * The partition of a source with `by`: the attributes that name it, with their values. A write is for an object of this partition: update and delete
   * by id and these values, and throw `gone()` if there is no such object. Empty for other sources, and in a search.
   */
  readonly parameters: PartitionParameters
  /** Aborted at the time-out, or when the server stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /**
   * Stores a blob for the partition and resolves to its SHA-256; an attribute with this value names the blob for devices. A blob that no object names
   * is removed after a day.
   */
  putBlob(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
}

/** The context of `partitionsOf`. */
export type AccessContext = Pick<SourceContext, 'user' | 'claims' | 'signal' | 'log'>

/** The context of `allow`. */
export interface PartitionContext extends AccessContext {
  /** The partition that the user asks for: a value for each attribute of `by`. */
  readonly parameters: PartitionParameters
}

/** A blob that a device sent for an attribute of one object. */
export interface SentBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** Temporary if the object is about to be created. */
  readonly object: ObjectId
  readonly attribute: string
  /** Reads the bytes in order, without holding all of them in memory. May be called again. */
  read(): AsyncIterable<Uint8Array>
}

/** The context of methods that read objects which the server stores: `query`, `get` and `changes`. */
export interface ReadContext extends SourceContext {
  /**
   * Gives the source's feed a proof, at most 1 KiB, that the backend still has what was read: called after the last row, before returning. The feed
   * gets it from `proofs()`. Does nothing for a source without a feed.
   */
  recordProof(proof: string): Promise<void>
}

/** The context of `query`. */
export interface QueryContext extends ReadContext {
  /** Adds a part of the result early; may be called any number of times. Later parts override earlier ones. */
  stash(objects: ObjectMap): void
  /**
   * The query parameters that the app passed to its sync, as far as `queryParameters` allows; empty if the query runs because it is due. They do not
   * select a partition: the result replaces the copy that all of its users share. For a source with `by`, the parameters of the partition.
   */
  readonly parameters: { readonly [name: string]: string }
}

/** The context of a search of a device. */
export interface SearchContext extends SourceContext {
  /** The number of results that the device has already; the source's results begin after them. */
  readonly offset: number
  /** The number of results wanted; further ones are dropped. */
  readonly limit: number
}

/** The context of `create`, `update` and `delete`. */
export interface WriteContext extends SourceContext {
  /** The same for every call of one mutation and unique to it: a backend that stores it can ignore repeated calls. */
  readonly idempotencyKey: string
}
