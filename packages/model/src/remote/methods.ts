/** Targets of calls that are no model: names that no model can have. */
export const DEVICE_TARGET = ''
export const SQL_TARGET = '\0sql'
export const ACTIONS_TARGET = '\0actions'
export const REFUSALS_TARGET = '\0refused'
export const OVERWRITTEN_TARGET = '\0overwritten'
/** Target of calls that the platform's host answers. */
export const PLATFORM_TARGET = '\0platform'

export const MODEL_READS = ['find', 'first', 'get', 'count', 'paginate', 'hasChanges']
export const MODEL_WRITES = ['create', 'createMany', 'update', 'updateMany', 'destroy', 'destroyMany', 'destroyAll']
/** Methods of a subscription, each with the parameters of its partition. */
export const SUBSCRIPTION_KINDS = {
  subscribe: 'write',
  unsubscribe: 'write',
  subscriptionState: 'read',
  whenReady: 'once',
} as const
export const SQL_READS = ['all', 'first']
export const DEVICE_READS = [
  'refused',
  'overwritten',
  'changes',
  'refreshTime',
  'subscriptions',
  'staleSince',
  'blobPath',
  'debug',
  'trace',
]
/** Methods that are never repeated, because they call the server or remove data. */
export const DEVICE_ONCE = [
  'sync',
  'login',
  'logout',
  'stopSync',
  'registerPush',
  'unregisterPush',
  'pushKey',
  'bulkSync',
  'search',
  'searchBackends',
  'databaseLocalReset',
  'databaseFullReset',
  'databaseClientReset',
]
export const REFUSAL_WRITES = ['retry', 'edit', 'dismiss']
export const OVERWRITTEN_WRITES = ['restore', 'dismiss']
