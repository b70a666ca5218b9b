import { requirements } from '../requirement.js'

export const clients = requirements('behaviour.clients', {
  'read.more': {
    says: 'A client is also answered with client_id, user, last_sync and its positions.',
    state: 'held',
  },
  docnames: {
    says: 'docnames of a client holds cd, cd_size, page_token, links, errors and the custom documents.',
    state: 'held',
  },
  cd: {
    says: 'cd reads the objects of the collection whose version is not above the last base of the client.',
    state: 'held',
  },
  'cd.first-pass': {
    says: 'During a pass from zero cd and what goes with it tell only what lies before the position that the client confirmed.',
    state: 'held',
  },
  'cd-size': { says: 'cd_size is the number of objects of cd as text.', state: 'held' },
  'page-token': { says: 'page_token reads where the client stands in the source.', state: 'held' },
  links: { says: 'links reads the real ids that temporary ids of the client were given.', state: 'held' },
  errors: { says: 'errors reads the refused mutations of the client.', state: 'held' },
  'computed.read-only': { says: 'cd_size, page_token, links and errors cannot be written.', state: 'held' },
  'cd.write': { says: 'Writing cd makes the next pull of that client and source a resync.', state: 'held' },
  'cd.write-other-sources': {
    says: 'Writing cd of one source leaves pulls of other sources and clients as they were.',
    state: 'held',
  },
  'sign-out': {
    says: 'One device is signed out alone: its session ends, others of its user stay, and it goes on after a login.',
    state: 'held',
  },
  custom: { says: 'A document of any other name of a client keeps what was written to it.', state: 'held' },
})
