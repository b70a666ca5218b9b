import { requirements } from '../requirement.js'

export const console = requirements('behaviour.console', {
  session: {
    says: 'A console signs in by a cookie that no script reads, that opens what its role may, ends after twelve hours, and is no token.',
    state: 'held',
  },
  origin: {
    says: 'The cookie of a console counts only on pages of the server itself or of a configured origin.',
    state: 'held',
  },
})
