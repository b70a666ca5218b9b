import { requirements } from '../requirement.js'

export const querying = requirements('behaviour.querying', {
  always: { says: 'With a poll_interval of 0 the query runs at every pull.', state: 'held' },
  due: {
    says: 'With a positive poll_interval the query runs at the first pull after it is due, and not before.',
    state: 'held',
  },
  never: { says: 'With a poll_interval of -1 the query runs only when the read state asks for it.', state: 'held' },
  'one-at-a-time': { says: 'Only one query of a partition runs at a time, over all processes.', state: 'held' },
  'one-at-a-time.lease': {
    says: 'A query whose process died does not keep the partition from being queried.',
    state: 'held',
  },
  'failure.retries': {
    says: 'A failed query is tried again retry_limit times, with growing pauses.',
    state: 'held',
  },
  'failure.next-due': { says: 'A query whose retries are used up runs again at its next due time.', state: 'held' },
  'failure.source-error': {
    says: 'The message of a failed query reaches devices until the next success.',
    state: 'held',
  },
  'failure.changes-nothing': { says: 'A failed query leaves the partition as it was.', state: 'held' },
})
