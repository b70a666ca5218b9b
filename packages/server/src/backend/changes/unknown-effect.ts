import type { ObjectId } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { JournalEntry } from '@godwit/store'

/** A mutation whose effect in the backend is unknown. */
export interface UnknownEffect {
  readonly source: Source | undefined
  readonly entry: Pick<JournalEntry, 'collection' | 'user' | 'mutation'>
  /** The real id of a created object, where it is known for certain. */
  readonly created?: ObjectId | undefined
}
