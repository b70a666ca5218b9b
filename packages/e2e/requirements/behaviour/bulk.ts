import { requirements } from '../requirement.js'

export const bulk = requirements('behaviour.bulk', {
  partition: { says: 'A bulk file holds the sources asked for, of the partition asked for.', state: 'held' },
  wait: { says: 'A bulk request whose file is being made has the status wait.', state: 'held' },
  ready: {
    says: 'A bulk request whose file is there has the status ready, with url, size, sha256 and tokens.',
    state: 'held',
  },
  nothing: { says: 'A bulk request without anything to send has the status nothing.', state: 'held' },
  sha256: { says: 'The file has the size and the SHA-256 that the answer tells.', state: 'held' },
  tokens: { says: 'A pull with a token of a bulk answer delivers only what came after the file.', state: 'held' },
  fresh: {
    says: 'A file that no pull goes on from is never older than a due query or a push from before the request.',
    state: 'held',
  },
  pending: {
    says: 'A source whose first query is still to come is named, and a device keeps what it has of it.',
    state: 'held',
  },
  'bulk-only': {
    says: 'A device gets the data of a source that allows bulk sync only from its file.',
    state: 'held',
  },
})
