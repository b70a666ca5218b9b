import { requirements } from '../requirement.js'

export const roles = requirements('behaviour.roles', {
  'token-in-body-ignored': { says: 'An api_token in a body or query opens nothing.', state: 'held' },
  'token-is-no-session': { says: 'A token does not open device routes.', state: 'held' },
  'session-is-no-token': { says: 'A session does not open administration routes.', state: 'held' },
  open: {
    says: 'Both logins, /healthz, /readyz, /openapi.json, /docs, /console and /metrics answer without a token or session.',
    state: 'held',
  },
  'reader.reads': {
    says: 'A reader may call every GET under /rc/v1 but the tokens of others, the audit and the secret of the backend.',
    state: 'held',
  },
  'reader.writes-nothing': { says: 'A reader is refused every route that writes.', state: 'held' },
  'operator.documents': {
    says: 'An operator may write documents of the store, of users and of clients.',
    state: 'held',
  },
  'operator.clients': { says: 'An operator may delete clients.', state: 'held' },
  'operator.read-state': { says: 'An operator may set the read state.', state: 'held' },
  'operator.sources': { says: 'An operator may change the settings of sources.', state: 'held' },
  'operator.ping': { says: 'An operator may send pings.', state: 'held' },
  'operator.user-attributes': {
    says: 'An operator may change the free attributes of a user but neither role nor password.',
    state: 'held',
  },
  'operator.jobs': {
    says: 'An operator may see jobs and undecided mutations, decide the latter, and ask for explanations.',
    state: 'held',
  },
  'operator.not-admin': {
    says: 'An operator is refused creating and deleting users, the audit and the reset.',
    state: 'held',
  },
  'plugin.pushes': { says: 'A plugin may call the push and fast operations and send pings.', state: 'held' },
  'plugin.reads': {
    says: 'A plugin may read sources, and read and write the address of the backend.',
    state: 'held',
  },
  'plugin.nothing-else': { says: 'A plugin is refused every other administration route.', state: 'held' },
  admin: { says: 'An admin may call every administration and plugin route.', state: 'held' },
  'device.own': { says: 'A device session opens the device routes for its own user and clients.', state: 'held' },
  'device.no-api': { says: 'A device user gets no API token.', state: 'held' },
  'api-user.create': {
    says: 'A user created with a role beside the attributes logs in to the API with the rights of that role.',
    state: 'held',
  },
  'api-user.no-device-login': { says: 'A user with an API role cannot log in on a device.', state: 'held' },
  'default-device': { says: 'A user created without a role is a device user.', state: 'held' },
})
