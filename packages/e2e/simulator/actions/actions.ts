import type { Action } from './action.js'
import { administrationActions } from './administration-actions.js'
import { editDuringCall, revertBeforePush, undo, undoDuringCall } from './backend-edits.js'
import { bulkActions } from './bulk-actions.js'
import { compactDuringQuery, compactLate } from './compaction-actions.js'
import { databaseActions } from './database-actions.js'
import { decideLate } from './decide-late.js'
import { deviceActions } from './device-actions.js'
import { dropDuringCall, dropDuringQuery } from './drop-during.js'
import { editMany } from './edit-many.js'
import { foreignActions } from './foreign-actions.js'
import { operationsActions } from './operations-actions.js'
import { overtake, overtakeDoubt } from './overtake-query.js'
import { photoActions } from './photo-actions.js'
import { rewind } from './restore-store.js'
import { searchActions } from './search-actions.js'
import { serverActions } from './server-actions.js'
import { teamActions } from './team-actions.js'
import type { ActionName } from './weights.js'

/** All actions, by name. */
export const actions: { readonly [Name in ActionName]: Action } = {
  ...deviceActions,
  ...serverActions,
  ...photoActions,
  ...bulkActions,
  ...searchActions,
  ...administrationActions,
  ...operationsActions,
  ...foreignActions,
  ...teamActions,
  ...databaseActions,
  rewind,
  editDuringCall,
  takeBack: revertBeforePush,
  undo,
  undoDuringCall,
  editMany,
  dropDuringCall,
  dropDuringQuery,
  compactLate,
  overtake,
  overtakeDoubt,
  decideLate,
  compactDuringQuery,
}
