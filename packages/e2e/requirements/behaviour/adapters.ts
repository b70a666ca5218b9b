import { requirements } from '../requirement.js'

export const adapters = requirements('behaviour.adapters', {
  'login-fails': {
    says: "A failing login of a source refuses that user's mutations with its message.",
    state: 'held',
  },
  'operation-not-supported': {
    says: 'A mutation whose method the adapter lacks is refused with operation_not_supported.',
    state: 'held',
  },
  'queue.workers': { says: 'The methods of a source with a queue run in workers.', state: 'held' },
  'queue.specific-first': { says: 'query_queue and cud_queue go before queue.', state: 'held' },
})
