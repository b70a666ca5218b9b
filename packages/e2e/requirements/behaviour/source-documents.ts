import { requirements } from '../requirement.js'

export const sourceDocuments = requirements('behaviour.source-documents', {
  'docnames.shape': { says: 'docnames answers a map of document names to the REST path of each.', state: 'held' },
  'docnames.names': {
    says: 'docnames of a user and source holds md, md_size, errors, metadata, schema and the custom documents.',
    state: 'held',
  },
  'docnames.followable': {
    says: 'Each path that docnames answers reads the document it stands for.',
    state: 'held',
  },
  'md.is-collection': { says: 'md reads the live objects of the collection.', state: 'held' },
  'md.write': { says: 'Writing md changes the collection, and devices receive the changes.', state: 'held' },
  'md.string': { says: 'Writing a string to md is refused with 422.', state: 'held' },
  'md-size': { says: 'md_size is the number of objects as text.', state: 'held' },
  'md-size.read-only': { says: 'md_size cannot be written.', state: 'held' },
  'computed.read-only': { says: 'errors, metadata and schema cannot be written.', state: 'held' },
  custom: { says: 'A document of any other name keeps what was written to it.', state: 'held' },
  'never-queried': { says: 'A source that was never queried has the md {} and the md_size 0.', state: 'held' },
  'unknown-user': { says: 'Writing a source document of an unknown user is refused with 404.', state: 'held' },
  shared: { says: 'The user * addresses the shared partition of an app source.', state: 'held' },
  'shared-of-user-source': { says: 'The user * with a user source is refused with 422.', state: 'held' },
  'app-source-real-user': { says: 'A real user with an app source addresses the shared partition.', state: 'held' },
})
