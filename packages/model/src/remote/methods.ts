/** What a call is asked of where that is no model: names that no model can have. */
export const DEVICE = ''
export const SQL = '\0sql'
export const ACTIONS = '\0actions'
export const REFUSALS = '\0refused'
/** What the platform's host answers beside every host. */
export const PLATFORM = '\0platform'

export const MODEL_READS = ['find', 'first', 'get', 'count', 'paginate', 'hasChanges']
export const MODEL_WRITES = ['create', 'createMany', 'update', 'updateMany', 'destroy', 'destroyMany', 'destroyAll']
export const SQL_READS = ['all', 'first']
export const DEVICE_READS = ['refused', 'changes', 'refreshTime', 'blobPath', 'debug', 'trace']
/** What is never repeated: it asks the server, or takes away what is there. */
export const DEVICE_ONCE = [
  'sync',
  'login',
  'logout',
  'stopSync',
  'bulkSync',
  'search',
  'searchBackends',
  'databaseLocalReset',
  'databaseFullReset',
  'databaseClientReset',
]
export const REFUSAL_WRITES = ['retry', 'edit', 'dismiss']
