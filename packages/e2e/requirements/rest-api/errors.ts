import { requirements } from '../requirement.js'

export const errors = requirements('rest.errors', {
  status: { says: 'A failed call answers an HTTP error status.', state: 'held' },
  message: { says: 'A failed call carries a message about that very failure in its body.', state: 'held' },
  'empty-body': {
    says: 'When an error comes with an empty body the admin client reports the status code and the status message.',
    state: 'held',
  },
})
