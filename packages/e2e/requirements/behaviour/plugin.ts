import { requirements } from '../requirement.js'

export const plugin = requirements('behaviour.plugin', {
  'replaced-at': {
    says: 'push_objects and its kin say when the next query of the source replaces what was pushed.',
    state: 'held',
  },
  'push-objects.merges': {
    says: 'push_objects merges attributes into existing objects and leaves the others as they were.',
    state: 'held',
  },
  'push-objects.null': { says: 'A null in push_objects removes that attribute.', state: 'held' },
  'push-objects.answer': { says: 'push_objects answers version, changed and count.', state: 'held' },
  'push-objects.user-id-required': {
    says: 'push_objects without a user_id that is a string is refused with 422.',
    state: 'held',
  },
  'push-objects.user-unknown': {
    says: 'Objects pushed for a user not known yet wait for that user.',
    state: 'held',
  },
  'push-deletes.ids': {
    says: 'objects of push_deletes is a list of ids, and anything else is refused.',
    state: 'held',
  },
  'push-deletes.unknown-id': { says: 'Unknown ids in push_deletes are no error.', state: 'held' },
  'fast-insert.data': { says: 'fast_insert takes the objects as data as well.', state: 'held' },
  'fast-insert.existing': { says: 'fast_insert of an object that exists after all merges into it.', state: 'held' },
  'fast-update.names': {
    says: 'fast_update removes the attributes named in delete_data whatever their values are.',
    state: 'held',
  },
  'fast-update.both': { says: 'An attribute named in both delete_data and data has the new value.', state: 'held' },
  'fast-update.last-attribute': { says: 'An object whose last attribute fast_update takes is gone.', state: 'held' },
  'fast-delete.names': {
    says: 'fast_delete removes the attributes named whatever their values are.',
    state: 'held',
  },
  'fast-delete.last-attribute': { says: 'An object whose last attribute fast_delete takes is gone.', state: 'held' },
  counts: {
    says: 'Counts are right after any sequence of push and fast operations, repeated ones included.',
    state: 'held',
  },
  'app-source': { says: 'For an app source user_id is ignored and may be *.', state: 'held' },
  'unknown-source': { says: 'The five operations answer 404 for an unknown source.', state: 'held' },
  'dynamic-sources': { says: 'With dynamicSources the five operations make an unknown source.', state: 'held' },
  announced: { says: 'Connected devices hear of a change that any of the five operations made.', state: 'held' },
  'push-notify': {
    says: 'A source with push_notify sends a ping when one of the five operations changes it.',
    state: 'held',
  },
  'any-json': { says: 'An attribute takes any JSON value, as deep as a body may be nested.', state: 'held' },
  'empty-object': { says: 'An object without attributes exists and reaches devices.', state: 'held' },
  'polling-off': {
    says: 'Objects that only pushes bring stay in a source with a poll_interval of -1.',
    state: 'held',
  },
  'polling-on': {
    says: 'The result of a query replaces the partition, pushed objects that it lacks included.',
    state: 'held',
  },
})
