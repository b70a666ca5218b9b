import { requirements } from '../requirement.js'

export const set = requirements('model.set', {
  partition: { says: 'set changes the partition to local, user or app.', state: 'held' },
  'partition.segments': {
    says: 'Rows of models in different partitions are kept apart in the database.',
    state: 'held',
  },
  'sync-type': { says: 'set changes the sync type to none, incremental or bulk_only.', state: 'held' },
  'sync-priority': { says: 'set changes the sync priority.', state: 'held' },
  freezed: { says: 'set of freezed makes the model frozen.', state: 'held' },
  'schema-version': {
    says: 'set takes a schema_version, which serves to migrate the data of the application.',
    state: 'held',
  },
})
