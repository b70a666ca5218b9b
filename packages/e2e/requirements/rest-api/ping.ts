import { requirements } from '../requirement.js'

export const ping = requirements('rest.ping', {
  'all-devices': {
    says: 'POST /rc/v1/users/ping sends a push message to every device of the given users.',
    state: 'held',
  },
  'user-id': { says: 'user_id takes a list of user ids, and devices of other users hear nothing.', state: 'held' },
  'api-token': {
    says: 'A ping that also carries api_token in its body is accepted when the header holds the token.',
    state: 'held',
  },
  'sources.one': {
    says: 'sources takes the name of one source to synchronize when the message arrives.',
    state: 'held',
  },
  'sources.many': {
    says: 'sources takes a list of names of sources to synchronize when the message arrives.',
    state: 'held',
  },
  message: { says: 'message reaches the device as the text of its notification.', state: 'held' },
  badge: { says: 'badge reaches the device as its badge value.', state: 'held' },
  sound: { says: 'sound reaches the device as the name of the sound file to play.', state: 'held' },
  vibrate: { says: 'vibrate reaches the device as the number of seconds to vibrate.', state: 'held' },
})
