import { requirements } from '../requirement.js'

export const ping = requirements('rest.ping', {
  'all-devices': {
    says: 'POST /rc/v1/users/ping sends a push message to every device of the given users.',
    state: 'planned',
  },
  'user-id': { says: 'user_id takes a list of user ids, and devices of other users hear nothing.', state: 'planned' },
  'api-token': {
    says: 'A ping that also carries api_token in its body is accepted when the header holds the token.',
    state: 'planned',
  },
  'sources.one': {
    says: 'sources takes the name of one source to synchronize when the message arrives.',
    state: 'planned',
  },
  'sources.many': {
    says: 'sources takes a list of names of sources to synchronize when the message arrives.',
    state: 'planned',
  },
  message: { says: 'message reaches the device as the text of its notification.', state: 'planned' },
  badge: { says: 'badge reaches the device as its badge value.', state: 'planned' },
  sound: { says: 'sound reaches the device as the name of the sound file to play.', state: 'planned' },
  vibrate: { says: 'vibrate reaches the device as the number of seconds to vibrate.', state: 'planned' },
})
