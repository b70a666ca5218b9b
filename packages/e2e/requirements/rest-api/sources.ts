import { requirements } from '../requirement.js'

export const sources = requirements('rest.sources', {
  'list.app': {
    says: 'GET /rc/v1/sources/type/app lists the source adapters with shared data and no others.',
    state: 'held',
  },
  'list.user': {
    says: 'GET /rc/v1/sources/type/user lists the source adapters with data of each user and no others.',
    state: 'held',
  },
  read: {
    says: 'GET /rc/v1/sources/<source_id> answers name, poll_interval, partition_type, sync_type, queue, query_queue and cud_queue of the source.',
    state: 'held',
  },
  update: {
    says: 'PUT /rc/v1/sources/<source_id> with user_name and data updates the poll_interval of the source.',
    state: 'held',
  },
  'accept-removals': {
    says: 'POST /rc/v1/users/<user_id>/sources/<source_id>/accept_removals applies the removals of the partition that are held back at once, if the query would still remove nearly the same objects, and answers how the copy stands then.',
    state: 'held',
  },
  'poll-interval.seconds': {
    says: 'A positive poll_interval is the time between two calls of the adapter for new data.',
    state: 'held',
  },
  'poll-interval.disabled': { says: 'A poll_interval of -1 disables polling.', state: 'held' },
  'poll-interval.always': { says: 'A poll_interval of 0 calls the adapter at every sync.', state: 'held' },
  'partition-type.app': { says: 'A source of partition type app shares its data across all users.', state: 'held' },
  'partition-type.user': {
    says: 'A source of partition type user, the default, keeps the data of each user apart.',
    state: 'held',
  },
  'sync-type.incremental': {
    says: 'A source of sync type incremental, the default, sends devices what changed.',
    state: 'held',
  },
  'sync-type.bulk-only': { says: 'A source of sync type bulk_only has incremental sync disabled.', state: 'held' },
  'queue.both': {
    says: 'queue serves query jobs and create, update and delete jobs where no specific queue is given.',
    state: 'held',
  },
  'queue.query': { says: 'query_queue names the queue of the query jobs of a source.', state: 'held' },
  'queue.cud': {
    says: 'cud_queue names the queue of the create, update and delete jobs of a source.',
    state: 'held',
  },
  'queue.query-asynchronous': {
    says: 'With a queue for queries the query method of the adapter runs asynchronously.',
    state: 'held',
  },
  'queue.cud-asynchronous': {
    says: 'With a queue for writes the create, update and delete methods of the adapter run asynchronously.',
    state: 'held',
  },
})
