import { requirements } from '../requirement.js'

export const recording = requirements('model.recording', {
  create: { says: 'create makes an object with the given attributes and saves it to the database.', state: 'planned' },
  make: { says: 'make gives a new object that is not in the database.', state: 'planned' },
  save: { says: 'save writes the attributes of an object to the database.', state: 'planned' },
  'save.made': { says: 'save persists an object that make gave.', state: 'planned' },
  destroy: { says: 'destroy removes an object from the database.', state: 'planned' },
  'update-attributes': {
    says: 'update_attributes changes the named attributes of an object and saves it.',
    state: 'planned',
  },
  'delete-all': { says: 'delete_all without conditions deletes all objects of the model.', state: 'planned' },
  'delete-all.map': {
    says: 'delete_all with conditions given as a map deletes the matching objects and no others.',
    state: 'planned',
  },
  'delete-all.sql': {
    says: 'delete_all with conditions given as an SQL fragment with bound values deletes the matching objects and no others.',
    state: 'planned',
  },
  'delete-all.op': { says: 'delete_all takes the key op.', state: 'planned' },
})
