import type { ObjectId } from '../object-map.js'
import { boolean, list, object, optional, type Schema, string } from '../schema.js'

/** A backend removes objects of one partition. */
export interface PushDeletes {
  /** Whose partition. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Unknown ids are no error; each leaves a tombstone. */
  readonly objects: readonly ObjectId[]
  /** True also verifies count and checksum in the background. */
  readonly rebuild_md?: boolean
}

export const pushDeletesSchema: Schema<PushDeletes> = object<PushDeletes>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  objects: list(string()),
  rebuild_md: optional(boolean),
})
