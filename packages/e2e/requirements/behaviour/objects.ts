import { requirements } from '../requirement.js'

export const objects = requirements('behaviour.objects', {
  pages: { says: 'Objects of a master document come a page at a time, with their versions.', state: 'held' },
  search: {
    says: 'They are found by id, or by what their attributes contain, in steps of bounded work.',
    state: 'held',
  },
  partition: { says: "How a user's copy of a source stands can be asked, and asking makes no copy.", state: 'held' },
})
