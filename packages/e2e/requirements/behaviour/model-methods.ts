import { requirements } from '../requirement.js'

export const modelMethods = requirements('behaviour.model-methods', {
  'on-model': { says: 'The methods of definition, finding, changes and errors are on a model.', state: 'held' },
  'on-record': { says: 'save, update_attributes, destroy, get, has and changed? are on a record.', state: 'held' },
  'record-object': { says: 'object of a record is its id.', state: 'held' },
  'record-attributes': { says: 'attributes of a record are typed and frozen.', state: 'held' },
  'both.model': {
    says: 'getProperty, getProperties, getAllProperties, setProperty, setProperties, has and vars of a model concern its own settings.',
    state: 'held',
  },
  'both.record': { says: 'The same methods of a record concern its attributes.', state: 'held' },
  'model-read-only': {
    says: 'associations, loaded, model_name and source_id of a model cannot be set.',
    state: 'held',
  },
  'settings-of-record': {
    says: 'The settings of a model, such as model_name, partition and sync_type, are readable on its records.',
    state: 'held',
  },
  'set-property-memory': { says: 'setProperty of a record changes memory only, until save.', state: 'held' },
  'id.decimal': { says: 'A generated id is a string of decimal digits.', state: 'held' },
  'id.unique-devices': { says: 'Ids generated on different devices differ.', state: 'held' },
  'id.unique-restarts': { says: 'Ids generated after a restart differ from those before.', state: 'held' },
  'id.reserved': {
    says: "'', object, source_id, update_type and attrib_type never become attributes.",
    state: 'held',
  },
  'id.query-type-names': { says: 'findById finds a record whose id is all, first or count.', state: 'held' },
  'switches-read': { says: 'full_update and pass_through are answered by getProperty, has and vars.', state: 'held' },
})
