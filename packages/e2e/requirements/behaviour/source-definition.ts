import { requirements } from '../requirement.js'

export const sourceDefinition = requirements('behaviour.source-definition', {
  defaults: {
    says: 'A source defined by its name alone has the partition user, a poll interval of 300, a sync priority of 1000 and a retry limit of 0.',
    state: 'held',
  },
  'defaults.writes': {
    says: 'A source is not idempotent, has no settle time and lets the client win conflicts unless it says otherwise.',
    state: 'held',
  },
  'defaults.removed-share': {
    says: 'A query that would remove more than half of a partition is refused unless the source allows it.',
    state: 'held',
  },
  optional: { says: 'Every function of a source may be left out.', state: 'held' },
  'context.user': { says: 'The functions of a source get the user and the partition.', state: 'held' },
  'context.parameters': { says: 'query gets the query parameters.', state: 'held' },
  'query-parameters': {
    says: 'Query parameters reach a source only as it says; by default none where users share a partition.',
    state: 'held',
  },
  'query-parameters.gone': {
    says: 'A query with parameters waits and runs only as long as its caller is there.',
    state: 'held',
  },
  'errors.hidden': {
    says: 'An error that a source throws reaches devices as an id that is in the log.',
    state: 'held',
  },
  'errors.shown': { says: 'What refusal and failure say reaches devices.', state: 'held' },
  'errors.not-json': {
    says: 'A value that is no JSON is refused, naming its object and attribute.',
    state: 'held',
  },
  'context.signal': {
    says: 'The functions of a source get a signal that is aborted when the call is given up.',
    state: 'held',
  },
  'context.idempotency-key': {
    says: 'create, update and delete get an idempotency key that is the same for every attempt at a mutation.',
    state: 'held',
  },
  'context.logger': { says: 'The functions of a source get a logger.', state: 'held' },
  'context.stash': {
    says: 'Objects that a query stashes belong to its result as those that it returns do.',
    state: 'held',
  },
  'partition-name': { says: 'partitionName decides which users share a partition.', state: 'held' },
  metadata: { says: 'What metadata returns reaches devices.', state: 'held' },
  schema: { says: 'What schema returns reaches devices.', state: 'held' },
  'store-blob': { says: 'storeBlob gets the blobs that devices send for the source.', state: 'held' },
  logoff: { says: 'logoff is called when the calls that a login of the source opened are done.', state: 'held' },
  'conflict.client-wins': { says: 'With client-wins the change of the device stands.', state: 'held' },
  'conflict.server-wins': {
    says: 'With server-wins the present values of changed attributes stand, attribute by attribute.',
    state: 'held',
  },
  'conflict.reject': { says: 'With reject a conflicting mutation changes nothing.', state: 'held' },
  'conflict.resolve': {
    says: 'resolve gets base, theirs and mine, and what it returns is the object.',
    state: 'held',
  },
  settle: {
    says: 'What a push changed within the settle time before a query began is not overwritten by it.',
    state: 'held',
  },
  'pass-through': { says: 'No content of a pass-through source is found in the store.', state: 'held' },
})
