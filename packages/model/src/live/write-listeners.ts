import type { ObjectId } from '@godwit/protocol'

/** A listener for the beginning and end of outermost transactions. */
export interface TransactionListener {
  begun?(): void
  /** Called after the transaction. */
  committed(): void
  rolledBack(): void
}

/** A listener that is called before rows are written. */
export interface RowWatch {
  touch(object: ObjectId): void
  /** Like `touch`, for many objects, which are read only if there are observers. */
  touchEach(objects: () => Iterable<ObjectId>): void
  touchAll(): void
}
