import { requirements } from '../requirement.js'

export const store = requirements('rest.store', {
  read: { says: 'GET /rc/v1/store/<doc> answers the content of the named server document.', state: 'held' },
  'write.string': { says: 'POST /rc/v1/store/<doc> stores a string given as data.', state: 'held' },
  'write.map': { says: 'POST /rc/v1/store/<doc> stores a hash of hashes given as data.', state: 'held' },
  append: { says: 'With append true and an existing document the data is added to its content.', state: 'held' },
  'append-to-missing': {
    says: 'With append true and no such document the data becomes its content.',
    state: 'held',
  },
  replace: { says: 'With append false the data replaces the content of the document.', state: 'held' },
})
