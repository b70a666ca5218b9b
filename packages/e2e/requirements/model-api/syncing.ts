import { requirements } from '../requirement.js'

export const syncing = requirements('model.syncing', {
  'any-changed-objects': { says: 'anyChangedObjects tells whether the model has changed objects.', state: 'held' },
  'can-modify': { says: 'canModify tells whether the object of an id can be modified.', state: 'held' },
  'has-changes.created': { says: 'hasChanges is true for an object that was created.', state: 'held' },
  'has-changes.updated': { says: 'hasChanges is true for an object that was updated.', state: 'held' },
  'has-changes.unchanged': { says: 'hasChanges is false for an object without changes.', state: 'held' },
  'push-changes': { says: 'pushChanges sends all changes of the source to the server.', state: 'held' },
  'get-backend-refresh-time': {
    says: 'getBackendRefreshTime answers the time of the last sync of the source as text.',
    state: 'held',
  },
  'on-sync-create-error': {
    says: 'onSyncCreateError settles objects whose creation the server refused by the given action.',
    state: 'held',
  },
  'on-sync-update-error': {
    says: 'onSyncUpdateError settles an object whose update the server refused by the given action, with its attributes and those to roll back to.',
    state: 'held',
  },
  'on-sync-delete-error': {
    says: 'onSyncDeleteError settles an object whose deletion the server refused by the given action.',
    state: 'held',
  },
})
