import { requirements } from '../requirement.js'

export const properties = requirements('model.properties', {
  associations: { says: 'The property associations tells the associations of the model.', state: 'held' },
  'fixed-schema': {
    says: 'The property fixed_schema is true exactly when the model is of fixed schema.',
    state: 'held',
  },
  freezed: { says: 'The property freezed is true exactly when the model is frozen.', state: 'held' },
  loaded: { says: 'The property loaded is true once the model is loaded.', state: 'held' },
  'model-name': { says: 'The property model_name is the name of the model.', state: 'held' },
  partition: { says: 'The property partition is the database partition of the model.', state: 'held' },
  'partition.local': {
    says: 'A model that does not synchronize is in the partition local unless told otherwise.',
    state: 'held',
  },
  'partition.user': {
    says: 'A model that synchronizes is in the partition user unless told otherwise.',
    state: 'held',
  },
  'partition.app': {
    says: 'A model can live in the partition app, for information of the application.',
    state: 'held',
  },
  'source-id': { says: 'The property source_id is the source id of the model as an integer.', state: 'held' },
  'sync-priority': {
    says: 'The property sync_priority is the place of the model in the order of processing.',
    state: 'held',
  },
  'sync-priority.default': { says: 'sync_priority is 1000 where none was set.', state: 'held' },
  'sync-priority.order': { says: 'Models with a lower sync_priority are processed first.', state: 'held' },
  'sync-type': { says: 'The property sync_type is the sync type of the model.', state: 'held' },
  'sync-type.none': {
    says: 'sync_type is none where none was set, and such a model does not synchronize.',
    state: 'held',
  },
  'sync-type.incremental': { says: 'A model with sync_type incremental synchronizes changes only.', state: 'held' },
  'sync-type.bulk-only': { says: 'A model with sync_type bulk_only synchronizes by bulk sync only.', state: 'held' },
})
