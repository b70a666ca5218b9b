import { requirements } from '../requirement.js'

export const sourceSettings = requirements('behaviour.source-settings', {
  'list.sorted': { says: 'Sources are listed by sync_priority, and by name where that is equal.', state: 'planned' },
  'list.other-type': { says: 'A partition type other than app and user is refused with 422.', state: 'planned' },
  'read.more': {
    says: 'A source is also answered with sync_priority, retry_limit, pass_through, push_notify and belongs_to.',
    state: 'planned',
  },
  'read.null': { says: 'Settings of a source that are not set are null.', state: 'planned' },
  'poll-interval.default': { says: 'poll_interval is 300 seconds where none was given.', state: 'planned' },
  'poll-interval.bound': { says: 'A poll_interval below -1 or one that is no integer is refused.', state: 'planned' },
  'write.allowed': {
    says: 'poll_interval, sync_type, queue, query_queue, cud_queue, sync_priority, retry_limit and push_notify can be written.',
    state: 'planned',
  },
  'write.takes-effect': { says: 'A written setting takes effect without a restart.', state: 'planned' },
  'write.restart': { says: 'A written setting survives a restart.', state: 'planned' },
})
