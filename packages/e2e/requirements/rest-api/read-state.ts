import { requirements } from '../requirement.js'

export const readState = requirements('rest.read-state', {
  'refresh-time': {
    says: 'PUT /rc/v1/readstate/users/<user_id>/sources/<source_id> with refresh_time makes the source due for that user at the present time plus that many seconds.',
    state: 'held',
  },
  'refresh-time-omitted': {
    says: 'Without refresh_time the source is refreshed at the next sync request for it.',
    state: 'held',
  },
})
