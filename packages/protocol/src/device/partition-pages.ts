import { integer, list, literal, object, optional, type Schema, string } from '../schema.js'
import { type SourceError, sourceErrorSchema } from './outcome.js'
import { type Page, pageMembers, pageSchema } from './page.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'

/** A page, or the pages of several partitions if the request has `pulls`. */
export type AnyPages = Page | PartitionPages

/** Pages of several partitions of one source with `by`. */
export interface PartitionPages {
  /** The attributes that name the partitions of the source. */
  readonly by: readonly string[]
  /** One entry for each pull, in the order in which they were read; apply them in this order. Partitions that do not wait for a query are read first. */
  readonly pages: readonly PartitionEntry[]
  /** All partitions that the server lists for the user. The device holds them without a subscription. */
  readonly partitions: readonly ListedPartition[]
}

/** The page of one partition, its error, or `more` if the request had no room for it. */
export type PartitionEntry = PartitionPage | PartitionFailure | UnservedPartition

/** A page as that of a source without `by`, with the parameters of its partition. */
export interface PartitionPage extends Page {
  readonly parameters: PartitionParameters
}

/** Why one partition has no page. The others are not affected. */
export interface PartitionFailure {
  readonly parameters: PartitionParameters
  /** `partition_not_allowed`: the user may not see the partition. `quota_exceeded`: it is over the number of partitions that a client may hold. */
  readonly error: SourceError
}

/** A partition that the response had no room or time for: pull it first in the next request. */
export interface UnservedPartition {
  readonly parameters: PartitionParameters
  /** Marks an entry without a page. */
  readonly more: true
  /** The token of the request. Absent if it had none. */
  readonly token?: string
}

/** A partition that the server lists for a user. */
export interface ListedPartition {
  readonly parameters: PartitionParameters
  /** The version of the collection. Absent, as `epoch` is, if nothing has opened it yet. */
  readonly head?: number
  /** The epoch of the collection. */
  readonly epoch?: string
}

const partitionPageSchema: Schema<PartitionPage> = object<PartitionPage>({
  ...pageMembers,
  parameters: parametersSchema,
})

const partitionFailureSchema = object<PartitionFailure>({ parameters: parametersSchema, error: sourceErrorSchema })

const unservedPartitionSchema = object<UnservedPartition>({
  parameters: parametersSchema,
  more: literal(true),
  token: optional(string()),
})

/** The titles name the messages in the OpenAPI document. */
const partitionEntrySchema: Schema<PartitionEntry> = {
  anyOf: [
    { title: 'PartitionPage', ...partitionPageSchema },
    { title: 'PartitionFailure', ...partitionFailureSchema },
    { title: 'UnservedPartition', ...unservedPartitionSchema },
  ],
}

export const partitionPagesSchema: Schema<PartitionPages> = object<PartitionPages>({
  by: list(string()),
  pages: list(partitionEntrySchema),
  partitions: list(
    object<ListedPartition>({
      parameters: parametersSchema,
      head: optional(integer({ minimum: 0 })),
      epoch: optional(string()),
    }),
  ),
})

export const anyPagesSchema: Schema<AnyPages> = {
  anyOf: [
    { title: 'Page', ...pageSchema },
    { title: 'PartitionPages', ...partitionPagesSchema },
  ],
}
