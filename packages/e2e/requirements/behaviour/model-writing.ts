import { requirements } from '../requirement.js'

export const modelWriting = requirements('behaviour.model-writing', {
  'save-inserts-or-updates': {
    says: 'save inserts an object that is not in the database and updates one that is.',
    state: 'held',
  },
  'update-differences': { says: 'update_attributes writes only what differs from the database.', state: 'held' },
  'save-destroyed': { says: 'Saving a destroyed record makes it again.', state: 'held' },
  'destroy-missing': { says: 'Destroying a record that is missing does nothing.', state: 'held' },
  'create-empty': { says: 'create of {} makes an object with an id.', state: 'held' },
  'delete-all-transaction': { says: 'delete_all deletes in one transaction, all or nothing.', state: 'held' },
  'freezed.refuses': {
    says: 'A frozen model refuses undeclared attributes and stores nothing of them.',
    state: 'held',
  },
  'freezed.fixed-schema': { says: 'A model of fixed schema is always frozen.', state: 'held' },
  'freezed.server': { says: 'A frozen model skips undeclared attributes that the server sends.', state: 'held' },
  'update.nothing': { says: 'updateAttributes without attributes is no change.', state: 'held' },
})
