import { requirements } from '../requirement.js'

export const store = requirements('behaviour.store', {
  'read.string': { says: 'A string document is answered as text.', state: 'held' },
  'read.map': { says: 'A map document is answered as JSON.', state: 'held' },
  'read.missing': { says: 'A missing document is answered with 404.', state: 'held' },
  'write.answer': { says: 'Writing a document answers an empty object.', state: 'held' },
  'write.data-required': { says: 'Writing a document without data is refused with 422.', state: 'held' },
  'append.strings': { says: 'Appending a string to a string joins the two.', state: 'held' },
  'append.maps': {
    says: 'Appending a map to a map merges it object by object and attribute by attribute.',
    state: 'held',
  },
  'append.kinds': { says: 'A refused append of another kind leaves the document as it was.', state: 'held' },
  isolated: { says: 'No name of a document reaches anything else that the store holds.', state: 'held' },
})
