import { requirements } from '../requirement.js'

export const ping = requirements('behaviour.ping', {
  'user-id.one': { says: 'user_id takes one user id as well as a list.', state: 'held' },
  'sources.unknown': { says: 'A ping that names an unknown source is refused with 422.', state: 'held' },
  'badge.kinds': { says: 'badge takes a number or a string.', state: 'held' },
  'answer.sent': { says: 'A ping answers how many devices it was sent to.', state: 'held' },
  'answer.skipped': { says: 'A ping lists the users and clients it skipped, each with a reason.', state: 'held' },
  'answer.failed': { says: 'A ping lists the clients it failed to reach, each with a reason.', state: 'held' },
  'all-failed': { says: 'A ping that reaches no device at all is answered with 200.', state: 'held' },
  async: { says: 'A ping with async true answers a job that sends it.', state: 'held' },
})
