import type { AllHandlers } from './handler.js'
import { clientsHandlers } from './handlers/clients.js'
import { deviceHandlers } from './handlers/device.js'
import { operationsHandlers } from './handlers/operations.js'
import { pluginHandlers } from './handlers/plugin.js'
import { readStateHandlers } from './handlers/read-state.js'
import { sourcesHandlers } from './handlers/sources.js'
import { storeHandlers } from './handlers/store.js'
import { systemHandlers } from './handlers/system.js'
import { usersHandlers } from './handlers/users.js'

/** The handlers of all routes. A missing one does not compile. */
export const handlers: AllHandlers = {
  clients: clientsHandlers,
  device: deviceHandlers,
  operations: operationsHandlers,
  plugin: pluginHandlers,
  readState: readStateHandlers,
  sources: sourcesHandlers,
  store: storeHandlers,
  system: systemHandlers,
  users: usersHandlers,
}
