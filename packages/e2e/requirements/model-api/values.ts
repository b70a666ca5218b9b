import { requirements } from '../requirement.js'

export const values = requirements('model.values', {
  get: { says: 'get answers the value of a property as it is in the database.', state: 'planned' },
  has: { says: 'has tells whether the model has the property.', state: 'planned' },
  'get-property': { says: 'getProperty answers the value of one property.', state: 'planned' },
  'get-property.callback': { says: 'getProperty also gives the value, as a string, to a callback.', state: 'planned' },
  'get-properties': { says: 'getProperties answers a map of the named properties to their values.', state: 'planned' },
  'get-properties.callback': { says: 'getProperties also gives its map to a callback.', state: 'planned' },
  'get-all-properties': { says: 'getAllProperties answers a map of all properties to their values.', state: 'planned' },
  'get-all-properties.callback': { says: 'getAllProperties also gives its map to a callback.', state: 'planned' },
  'callback-optional': {
    says: 'getProperty, getProperties and getAllProperties answer without a callback too.',
    state: 'planned',
  },
  'set-property': { says: 'setProperty sets one valid, writable property.', state: 'planned' },
  'set-properties': { says: 'setProperties sets several properties at once.', state: 'planned' },
  'set-properties.valid': { says: 'setProperties refuses a property that is not valid.', state: 'planned' },
  'set-properties.read-only': { says: 'setProperties refuses a property that is read only.', state: 'planned' },
  vars: {
    says: 'vars answers all property names and values, each readable as a field of the result.',
    state: 'planned',
  },
})
