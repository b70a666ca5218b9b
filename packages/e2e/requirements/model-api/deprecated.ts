import { requirements } from '../requirement.js'

export const deprecated = requirements('model.deprecated', {
  'can-modify': { says: 'can_modify answers what canModify answers.', state: 'held' },
  changed: {
    says: 'changed? is true when there are changes in the local database that need syncing.',
    state: 'held',
  },
  'client-id': { says: 'client_id answers the present sync client id.', state: 'held' },
  count: { says: 'count answers what getCount answers.', state: 'held' },
  'delete-all': {
    says: 'deleteAll deletes the objects that match the conditions as delete_all does.',
    state: 'held',
  },
  'find-all': { says: 'find_all answers all objects of the model, as find of all does.', state: 'held' },
  'get-source-id': { says: 'get_source_id answers the source id that the property source_id holds.', state: 'held' },
  'get-source-name': { says: 'get_source_name answers the name that the property model_name holds.', state: 'held' },
  'push-changes': { says: 'push_changes sends the changes as pushChanges does.', state: 'held' },
  'update-attributes': { says: 'updateAttributes updates and saves as update_attributes does.', state: 'held' },
  'backend-refresh-time': {
    says: 'backend_refresh_time answers what getBackendRefreshTime answers.',
    state: 'held',
  },
  marked: {
    says: 'Every deprecated method is marked as such and names its replacement where there is one.',
    state: 'held',
  },
})
