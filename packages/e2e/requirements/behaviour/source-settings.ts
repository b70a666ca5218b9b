import { requirements } from '../requirement.js'

export const sourceSettings = requirements('behaviour.source-settings', {
  'list.sorted': { says: 'Sources are listed by sync_priority, and by name where that is equal.', state: 'held' },
  'list.other-type': { says: 'A partition type other than app and user is refused with 422.', state: 'held' },
  'read.more': {
    says: 'A source is also answered with sync_priority, retry_limit, pass_through, push_notify and belongs_to.',
    state: 'held',
  },
  'read.null': { says: 'Settings of a source that are not set are null.', state: 'held' },
  'poll-interval.default': { says: 'poll_interval is 300 seconds where none was given.', state: 'held' },
  'poll-interval.bound': { says: 'A poll_interval below -1 or one that is no integer is refused.', state: 'held' },
  'write.allowed': {
    says: 'poll_interval, sync_type, queue, query_queue, cud_queue, sync_priority, retry_limit and push_notify can be written.',
    state: 'held',
  },
  'write.takes-effect': { says: 'A written setting takes effect without a restart.', state: 'held' },
  'write.restart': { says: 'A written setting survives a restart.', state: 'held' },
})
