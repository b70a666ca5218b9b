import { requirements } from '../requirement.js'

export const quotas = requirements('behaviour.quotas', {
  clients: { says: 'A user has at most clientsPerUser clients.', state: 'held' },
  'clients-by-age': {
    says: 'A client that was not seen for 7 days makes room for a new one, the longest unseen first.',
    state: 'held',
  },
  sessions: {
    says: 'A user has at most sessionsPerUser sessions: the one that was not used for the longest time ends.',
    state: 'held',
  },
  streams: { says: 'A client has at most streamsPerClient event streams, and the oldest makes room.', state: 'held' },
  outcomes: {
    says: 'New mutations of a client with more than outcomesPerClient unacknowledged outcomes are refused.',
    state: 'held',
  },
  pushes: { says: 'At most pushesPerUser pushes of a user are worked on at once, the others in turn.', state: 'held' },
  'fair-turns': {
    says: 'A push whose backend and store answer at once lets other requests in after some milliseconds; a commit that mutations share is not split.',
    state: 'held',
  },
  'fair-requests': {
    says: 'A user whose requests used up a share of the event loop waits for later turns of it; the requests of other users are served meanwhile.',
    state: 'held',
  },
  blobs: {
    says: 'A user has at most unnamedBlobBytes of blobs that no change and no object names; who names them has room again.',
    state: 'held',
  },
  device: {
    says: 'A device that hears quota_exceeded keeps everything, says it, waits as long as the server asks, and goes on with what it may.',
    state: 'held',
  },
  sources: {
    says: 'A user brings at most dynamicSourcesPerUser sources into being, and those that stay empty for a day are forgotten.',
    state: 'held',
  },
})
