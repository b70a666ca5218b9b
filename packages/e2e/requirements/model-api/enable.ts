import { requirements } from '../requirement.js'

export const enable = requirements('model.enable', {
  'fixed-schema': { says: 'enable of fixed_schema makes the model one of fixed schema.', state: 'held' },
  sync: { says: 'enable of sync makes the model a user model that synchronizes.', state: 'held' },
  'full-update': {
    says: 'enable of full_update sends all attributes, changed or not, to the server when an object is updated.',
    state: 'held',
  },
  'changed-only': {
    says: 'Without full_update only changed attributes are sent to the server when an object is updated.',
    state: 'held',
  },
  'pass-through': {
    says: 'enable of pass_through keeps the data of the model out of the store of the server.',
    state: 'held',
  },
})
