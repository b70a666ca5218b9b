import { adapters } from './behaviour/adapters.js'
import { blobs } from './behaviour/blobs.js'
import { bulk } from './behaviour/bulk.js'
import { clients } from './behaviour/clients.js'
import { console } from './behaviour/console.js'
import { events } from './behaviour/events.js'
import { everywhere } from './behaviour/everywhere.js'
import { installing } from './behaviour/installing.js'
import { migration } from './behaviour/migration.js'
import { modelChanges } from './behaviour/model-changes.js'
import { modelDefinition } from './behaviour/model-definition.js'
import { modelFind } from './behaviour/model-find.js'
import { modelMethods } from './behaviour/model-methods.js'
import { modelValues } from './behaviour/model-values.js'
import { modelWriting } from './behaviour/model-writing.js'
import { objects } from './behaviour/objects.js'
import { operations } from './behaviour/operations.js'
import { ping } from './behaviour/ping.js'
import { plugin } from './behaviour/plugin.js'
import { pluginBackend } from './behaviour/plugin-backend.js'
import { problems } from './behaviour/problems.js'
import { pull } from './behaviour/pull.js'
import { push } from './behaviour/push.js'
import { pushMessages } from './behaviour/push-messages.js'
import { querying } from './behaviour/querying.js'
import { quotas } from './behaviour/quotas.js'
import { readState } from './behaviour/read-state.js'
import { reading } from './behaviour/reading.js'
import { refusals } from './behaviour/refusals.js'
import { roles } from './behaviour/roles.js'
import { sdk } from './behaviour/sdk.js'
import { search } from './behaviour/search.js'
import { session } from './behaviour/session.js'
import { sourceDefinition } from './behaviour/source-definition.js'
import { sourceDocuments } from './behaviour/source-documents.js'
import { sourceSettings } from './behaviour/source-settings.js'
import { store } from './behaviour/store.js'
import { system } from './behaviour/system.js'
import { typed } from './behaviour/typed.js'
import { users } from './behaviour/users.js'
import type { Document } from './requirement.js'

export const behaviour: Document = {
  name: 'behaviour',
  sections: [
    adapters,
    blobs,
    bulk,
    clients,
    console,
    events,
    everywhere,
    installing,
    migration,
    modelChanges,
    modelDefinition,
    modelFind,
    modelMethods,
    modelValues,
    modelWriting,
    objects,
    refusals,
    operations,
    ping,
    plugin,
    pluginBackend,
    problems,
    pull,
    push,
    pushMessages,
    querying,
    quotas,
    readState,
    reading,
    roles,
    sdk,
    search,
    session,
    sourceDefinition,
    sourceDocuments,
    sourceSettings,
    store,
    system,
    typed,
    users,
  ],
}
