import { requirements } from '../requirement.js'

export const pushMessages = requirements('behaviour.push-messages', {
  'push-type': { says: 'device_push_type selects the provider.', state: 'held' },
  'device-type': { says: 'device_type selects the provider where device_push_type is not set.', state: 'held' },
  apns: { says: 'apns, apple and iphone select the same provider.', state: 'held' },
  fcm: { says: 'fcm, android and gcm select the same provider.', state: 'held' },
  webpush: { says: 'webpush selects the provider for browsers.', state: 'held' },
  'open-stream': { says: 'A device with an open event stream hears the ping there.', state: 'held' },
  'do-sync': { says: 'A push message carries the sources of the ping as do_sync.', state: 'held' },
  'no-data': { says: 'A push message carries no object data.', state: 'held' },
  'gone-pin': { says: 'A pin that the provider calls gone is cleared from its client.', state: 'held' },
  'de-duplicated': { says: 'A device with several clients gets one message.', state: 'held' },
})
