import { requirements } from '../requirement.js'

export const authentication = requirements('rest.authentication', {
  'login-needs-no-token': {
    says: 'The login route is the one administration route that works without a token.',
    state: 'held',
  },
  header: {
    says: 'The token of a login, sent in the header X-Sync-API-TOKEN, opens the other routes to its owner.',
    state: 'held',
  },
  required: {
    says: 'A route that needs privileges refuses a call without the header X-Sync-API-TOKEN.',
    state: 'held',
  },
  'plugin-routes': {
    says: 'The push operations of a backend plugin need the token as the administration routes do.',
    state: 'held',
  },
})
