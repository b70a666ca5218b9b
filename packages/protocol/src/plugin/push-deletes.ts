import type { ObjectId } from '../object-map.js'
import { boolean, list, object, optional, type Schema, string } from '../schema.js'

/** Removes objects of one partition. */
export interface PushDeletes {
  /** The user whose partition is written. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Ids of the objects. Each leaves a tombstone; unknown ids are not an error. */
  readonly objects: readonly ObjectId[]
  /** If true, also verifies count and checksum in the background. Default false. */
  readonly rebuild_md?: boolean
}

export const pushDeletesSchema: Schema<PushDeletes> = object<PushDeletes>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  objects: list(string()),
  rebuild_md: optional(boolean),
})
