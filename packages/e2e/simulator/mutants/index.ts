import { adminMutants } from './admin.js'
import { automaticMutants } from './automatic.js'
import { blobsMutants } from './blobs.js'
import { bulkMutants } from './bulk.js'
import { callsMutants } from './calls.js'
import { conflictsMutants } from './conflicts.js'
import { databasesMutants } from './databases.js'
import { journalMutants } from './journal.js'
import type { Mutant } from './mutant.js'
import { outboxMutants } from './outbox.js'
import { pullMutants } from './pull.js'
import { queryMutants } from './query.js'
import { quotasMutants } from './quotas.js'
import { searchMutants } from './search.js'

/** A mutant for every law that a history can show. The simulator's README lists the others. */
export const mutants: readonly Mutant[] = [
  ...pullMutants,
  ...outboxMutants,
  ...journalMutants,
  ...callsMutants,
  ...conflictsMutants,
  ...queryMutants,
  ...blobsMutants,
  ...bulkMutants,
  ...automaticMutants,
  ...searchMutants,
  ...adminMutants,
  ...quotasMutants,
  ...databasesMutants,
]
