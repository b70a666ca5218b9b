import { requirements } from '../requirement.js'

export const defining = requirements('model.defining', {
  'new': { says: 'new with a name makes a model of that name.', state: 'held' },
  'get-model': { says: 'getModel answers the model of the given name.', state: 'held' },
  'set-model-property': {
    says: 'setModelProperty defines a field property of the given name and type.',
    state: 'held',
  },
  'get-model-property': {
    says: 'getModelProperty answers name, type and option of a field property.',
    state: 'held',
  },
  'set-belongs-to': {
    says: 'setBelongsTo makes an attribute of the model a reference to objects of another model.',
    state: 'held',
  },
  'get-belongs-to': {
    says: 'getBelongsTo answers the relationships of the model that use the given property.',
    state: 'held',
  },
  'set-schema-index': { says: 'setSchemaIndex defines a named index over the given attributes.', state: 'held' },
  'set-schema-index.unique': {
    says: 'A unique index prevents records that are the same in its attributes.',
    state: 'held',
  },
  'set-schema-index.not-unique': {
    says: 'An index that is not unique lets records be the same in its attributes.',
    state: 'held',
  },
})
