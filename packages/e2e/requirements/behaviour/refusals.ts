import { requirements } from '../requirement.js'

export const refusals = requirements('behaviour.refusals', {
  kept: {
    says: 'A mutation that was not applied is kept for operators, with what its device wanted and what was said, also after the device has heard.',
    state: 'held',
  },
  listed: { says: 'They are listed newest first, by user, source and reason, a page at a time.', state: 'held' },
  bounded: {
    says: 'They are kept for 30 days, the last 200 of each user, without content over 16 KB; they go with their user.',
    state: 'held',
  },
})
