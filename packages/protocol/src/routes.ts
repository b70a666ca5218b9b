import { clientsRoutes } from './routes/clients.js'
import { deviceRoutes } from './routes/device.js'
import { operationsRoutes } from './routes/operations.js'
import { pluginRoutes } from './routes/plugin.js'
import { readStateRoutes } from './routes/read-state.js'
import { sourcesRoutes } from './routes/sources.js'
import { storeRoutes } from './routes/store.js'
import { systemRoutes } from './routes/system.js'
import { usersRoutes } from './routes/users.js'

/** All routes of the server, by group and name. Order is not significant: no two lines match the same request. */
export const routes = {
  clients: clientsRoutes,
  device: deviceRoutes,
  operations: operationsRoutes,
  plugin: pluginRoutes,
  readState: readStateRoutes,
  sources: sourcesRoutes,
  store: storeRoutes,
  system: systemRoutes,
  users: usersRoutes,
} as const

/** All routes with the types of their bodies, queries and answers. */
export type Routes = typeof routes
