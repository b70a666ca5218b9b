import { requirements } from '../requirement.js'

export const pluginBackend = requirements('behaviour.plugin-backend', {
  operations: {
    says: 'The backend is called at /sync/authenticate, query, create, update, delete and search under its address.',
    state: 'held',
  },
  body: {
    says: 'The backend gets resource, partition, and attributes or id as the operation needs.',
    state: 'held',
  },
  hmac: { says: 'A call of the backend carries an HMAC over body and time.', state: 'held' },
  'idempotency-key': { says: 'A write to the backend carries its idempotency key in a header.', state: 'held' },
  'query.map': { says: 'The backend answers a query with a map of objects.', state: 'held' },
  'query.ndjson': { says: 'The backend answers a query with NDJSON, of any length.', state: 'held' },
  'create.id-object': { says: 'The backend answers a create with an object that has the id.', state: 'held' },
  'create.bare-id': { says: 'The backend answers a create with the bare id.', state: 'held' },
  refused: { says: 'An answer of 4xx with a message refuses the mutation with that message.', state: 'held' },
  unknown: {
    says: 'Any other failure of the backend leaves the result of the mutation unknown, not refused.',
    state: 'held',
  },
  prefix: { says: 'The prefix of the operations can be configured.', state: 'held' },
  'older-names': { says: 'The names under /rhoconnect can be configured instead.', state: 'held' },
  'device-login': { says: 'With a backend set, device logins are decided by its authenticate.', state: 'held' },
})
