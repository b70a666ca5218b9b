import { requirements } from '../requirement.js'

export const deprecated = requirements('model.deprecated', {
  'can-modify': { says: 'can_modify answers what canModify answers.', state: 'planned' },
  changed: {
    says: 'changed? is true when there are changes in the local database that need syncing.',
    state: 'planned',
  },
  'client-id': { says: 'client_id answers the present sync client id.', state: 'planned' },
  count: { says: 'count answers what getCount answers.', state: 'planned' },
  'delete-all': {
    says: 'deleteAll deletes the objects that match the conditions as delete_all does.',
    state: 'planned',
  },
  'find-all': { says: 'find_all answers all objects of the model, as find of all does.', state: 'planned' },
  'get-source-id': { says: 'get_source_id answers the source id that the property source_id holds.', state: 'planned' },
  'get-source-name': { says: 'get_source_name answers the name that the property model_name holds.', state: 'planned' },
  'push-changes': { says: 'push_changes sends the changes as pushChanges does.', state: 'planned' },
  'update-attributes': { says: 'updateAttributes updates and saves as update_attributes does.', state: 'planned' },
  'backend-refresh-time': {
    says: 'backend_refresh_time answers what getBackendRefreshTime answers.',
    state: 'planned',
  },
  marked: {
    says: 'Every deprecated method is marked as such and names its replacement where there is one.',
    state: 'planned',
  },
})
