import { requirements } from '../requirement.js'

export const modelWriting = requirements('behaviour.model-writing', {
  'save-inserts-or-updates': {
    says: 'save inserts an object that is not in the database and updates one that is.',
    state: 'planned',
  },
  'update-differences': { says: 'update_attributes writes only what differs from the database.', state: 'planned' },
  'save-destroyed': { says: 'Saving a destroyed record makes it again.', state: 'planned' },
  'destroy-missing': { says: 'Destroying a record that is missing does nothing.', state: 'planned' },
  'create-empty': { says: 'create of {} makes an object with an id.', state: 'planned' },
  'delete-all-transaction': { says: 'delete_all deletes in one transaction, all or nothing.', state: 'planned' },
  'freezed.refuses': {
    says: 'A frozen model refuses undeclared attributes and stores nothing of them.',
    state: 'planned',
  },
  'freezed.fixed-schema': { says: 'A model of fixed schema is always frozen.', state: 'planned' },
  'freezed.server': { says: 'A frozen model skips undeclared attributes that the server sends.', state: 'planned' },
})
