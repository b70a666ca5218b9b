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
  refresh: {
    says: 'POST /rc/v1/readstate/users/<user_id>/sources/<source_id>/refresh queries the source now, without a pull, and answers how the copy stands then, with the error where the query failed; it is refused for a source without a query.',
    state: 'held',
  },
})
