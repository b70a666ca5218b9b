import { requirements } from '../requirement.js'

export const readState = requirements('behaviour.read-state', {
  'at-least-zero': { says: 'A refresh_time below 0 is refused, and 0 makes the partition due now.', state: 'held' },
  'disabled-polling': {
    says: 'With a poll_interval of -1 a set read state makes the query run once.',
    state: 'held',
  },
  'body-absent': { says: 'Setting the read state without any body is accepted.', state: 'held' },
  'app-source': { says: 'For an app source any user names the shared partition.', state: 'held' },
})
