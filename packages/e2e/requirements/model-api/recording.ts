import { requirements } from '../requirement.js'

export const recording = requirements('model.recording', {
  create: { says: 'create makes an object with the given attributes and saves it to the database.', state: 'held' },
  make: { says: 'make gives a new object that is not in the database.', state: 'held' },
  save: { says: 'save writes the attributes of an object to the database.', state: 'held' },
  'save.made': { says: 'save persists an object that make gave.', state: 'held' },
  destroy: { says: 'destroy removes an object from the database.', state: 'held' },
  'update-attributes': {
    says: 'update_attributes changes the named attributes of an object and saves it.',
    state: 'held',
  },
  'delete-all': { says: 'delete_all without conditions deletes all objects of the model.', state: 'held' },
  'delete-all.map': {
    says: 'delete_all with conditions given as a map deletes the matching objects and no others.',
    state: 'held',
  },
  'delete-all.sql': {
    says: 'delete_all with conditions given as an SQL fragment with bound values deletes the matching objects and no others.',
    state: 'held',
  },
  'delete-all.op': { says: 'delete_all takes the key op.', state: 'held' },
})
