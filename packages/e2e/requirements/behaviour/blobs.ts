import { requirements } from '../requirement.js'

export const blobs = requirements('behaviour.blobs', {
  upload: { says: 'A blob is uploaded before the mutation that names it by its SHA-256.', state: 'held' },
  resumable: { says: 'An interrupted upload goes on from where it stopped.', state: 'held' },
  header: {
    says: 'What an upload is stands in its address or in a header, so that pages of other origins ask for leave once for all.',
    state: 'held',
  },
  'hash-checked': { says: 'A blob whose content does not have the announced SHA-256 is refused.', state: 'held' },
  read: { says: 'A blob is read by its hash.', state: 'held' },
  missing: {
    says: 'A push that names a blob whose bytes are not on the server is refused with blob_missing and the hashes, and nothing of it is accepted.',
    state: 'held',
  },
  lost: {
    says: 'A mutation whose blob neither the server nor its device has is refused with blobs_lost, and never applied.',
    state: 'held',
  },
  held: {
    says: 'A blob that an accepted mutation names is not swept before the mutation is decided.',
    state: 'held',
  },
  'asked-again': {
    says: 'A blob that the server does not have is asked for again later, with growing waits, and when a pull names it.',
    state: 'held',
  },
  range: { says: 'A blob is read in part with a Range header.', state: 'held' },
})
