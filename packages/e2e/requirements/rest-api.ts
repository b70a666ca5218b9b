import type { Document } from './requirement.js'
import { authentication } from './rest-api/authentication.js'
import { clients } from './rest-api/clients.js'
import { conventions } from './rest-api/conventions.js'
import { errors } from './rest-api/errors.js'
import { ping } from './rest-api/ping.js'
import { plugin } from './rest-api/plugin.js'
import { readState } from './rest-api/read-state.js'
import { sources } from './rest-api/sources.js'
import { store } from './rest-api/store.js'
import { system } from './rest-api/system.js'
import { users } from './rest-api/users.js'

export const restApi: Document = {
  name: 'rest-api',
  sections: [authentication, clients, conventions, errors, ping, plugin, readState, sources, store, system, users],
}
