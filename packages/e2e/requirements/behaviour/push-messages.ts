import { requirements } from '../requirement.js'

export const pushMessages = requirements('behaviour.push-messages', {
  'push-type': { says: 'device_push_type selects the provider.', state: 'planned' },
  'device-type': { says: 'device_type selects the provider where device_push_type is not set.', state: 'planned' },
  apns: { says: 'apns, apple and iphone select the same provider.', state: 'planned' },
  fcm: { says: 'fcm, android and gcm select the same provider.', state: 'planned' },
  webpush: { says: 'webpush selects the provider for browsers.', state: 'planned' },
  'open-stream': { says: 'A device with an open event stream hears the ping there.', state: 'planned' },
  'do-sync': { says: 'A push message carries the sources of the ping as do_sync.', state: 'planned' },
  'no-data': { says: 'A push message carries no object data.', state: 'planned' },
  'gone-pin': { says: 'A pin that the provider calls gone is cleared from its client.', state: 'planned' },
  'de-duplicated': { says: 'A device with several clients gets one message.', state: 'planned' },
})
