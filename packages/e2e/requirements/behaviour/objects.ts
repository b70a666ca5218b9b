import { requirements } from '../requirement.js'

export const objects = requirements('behaviour.objects', {
  pages: { says: 'Objects of a master document come a page at a time, with their versions.', state: 'held' },
  search: {
    says: 'They are found by id, or by what their attributes contain, in steps of bounded work.',
    state: 'held',
  },
  history: {
    says: 'Of each version of an object it is told when it was made and by whom, as far as a bounded log goes.',
    state: 'held',
  },
  partition: { says: "How a user's copy of a source stands can be asked, and asking makes no copy.", state: 'held' },
})
