import { requirements } from '../requirement.js'

export const values = requirements('model.values', {
  get: { says: 'get answers the value of a property as it is in the database.', state: 'held' },
  has: { says: 'has tells whether the model has the property.', state: 'held' },
  'get-property': { says: 'getProperty answers the value of one property.', state: 'held' },
  'get-property.callback': { says: 'getProperty also gives the value, as a string, to a callback.', state: 'held' },
  'get-properties': { says: 'getProperties answers a map of the named properties to their values.', state: 'held' },
  'get-properties.callback': { says: 'getProperties also gives its map to a callback.', state: 'held' },
  'get-all-properties': { says: 'getAllProperties answers a map of all properties to their values.', state: 'held' },
  'get-all-properties.callback': { says: 'getAllProperties also gives its map to a callback.', state: 'held' },
  'callback-optional': {
    says: 'getProperty, getProperties and getAllProperties answer without a callback too.',
    state: 'held',
  },
  'set-property': { says: 'setProperty sets one valid, writable property.', state: 'held' },
  'set-properties': { says: 'setProperties sets several properties at once.', state: 'held' },
  'set-properties.valid': { says: 'setProperties refuses a property that is not valid.', state: 'held' },
  'set-properties.read-only': { says: 'setProperties refuses a property that is read only.', state: 'held' },
  vars: {
    says: 'vars answers all property names and values, each readable as a field of the result.',
    state: 'held',
  },
})
