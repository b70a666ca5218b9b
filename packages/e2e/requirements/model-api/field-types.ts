import { requirements } from '../requirement.js'

export const fieldTypes = requirements('model.field-types', {
  string: { says: 'A property defined as String holds text.', state: 'held' },
  default: { says: 'A property defined without a type is a String.', state: 'held' },
  float: { says: 'A property defined as Float holds fractional numbers.', state: 'held' },
  integer: { says: 'A property defined as integer holds whole numbers.', state: 'held' },
  boolean: { says: 'A property defined as Boolean holds true or false.', state: 'held' },
  varchar: { says: 'A property defined as Varchar holds text.', state: 'held' },
  blob: { says: 'A property defined as Blob holds a file.', state: 'held' },
  overwrite: {
    says: 'With the option overwrite the copy of a blob on the client is overwritten with the copy of the server.',
    state: 'held',
  },
  'no-overwrite': {
    says: 'Without the option overwrite the copy of a blob that the client sent stays as it is.',
    state: 'held',
  },
})
