import { requirements } from '../requirement.js'

export const operations = requirements('behaviour.operations', {
  clients: {
    says: 'GET /rc/v1/clients lists clients, by user if asked, in pages given by after and limit.',
    state: 'held',
  },
  'clients.page': {
    says: 'GET /rc/v1/system/clients answers what each client told and when it synced, a page at a time.',
    state: 'held',
  },
  'clients.sources': {
    says: 'GET /rc/v1/clients/<id>/sources tells what a client has of each source, what waits, and what it has not heard.',
    state: 'held',
  },
  jobs: { says: 'GET /rc/v1/system/jobs lists the jobs.', state: 'held' },
  mutations: { says: 'GET /rc/v1/mutations lists mutations of the state asked for.', state: 'held' },
  'mutations.retry': { says: 'A mutation in doubt that is retried is sent to its source again.', state: 'held' },
  'mutations.retry.outcome': {
    says: 'A retry answers what became of the mutation, and queued where that is not known in time.',
    state: 'held',
  },
  'mutations.retry.once': {
    says: 'A mutation in doubt in two partitions of a source that is not idempotent is retried in one of them alone.',
    state: 'held',
  },
  'mutations.discard': {
    says: 'A mutation in doubt that is discarded is decided and blocks nothing.',
    state: 'held',
  },
  'mutations.content': {
    says: 'GET /rc/v1/mutations/<id> tells what the device wanted, what it had, and how the object stands now.',
    state: 'held',
  },
  'mutations.settle': {
    says: 'A mutation in doubt that is settled by hand is applied with the real id and values given, without a call.',
    state: 'held',
  },
  events: {
    says: 'GET /rc/v1/events streams logins, clients, writes, refusals and failures as they happen.',
    state: 'held',
  },
  'events.no-content': { says: 'Events carry no attributes of objects.', state: 'held' },
  'events.filter': { says: 'A stream of events tells only the kinds, source and user asked for.', state: 'held' },
  'events.resume': {
    says: 'A stream of events goes on behind the event named by after, or says that some may be missing.',
    state: 'held',
  },
  'events.ends': { says: 'A stream of events that the server ends says why as its last event.', state: 'held' },
  'events.processes': { says: 'A stream of events tells what happens in every process.', state: 'held' },
  'request-log': {
    says: 'Where it is asked for, each request is a line of the log, with route, user, client, status, time and id.',
    state: 'held',
  },
  'explain.present': { says: 'An explanation says why an object is on a device.', state: 'held' },
  'explain.absent': { says: 'An explanation says why an object is not on a device.', state: 'held' },
  'explain.delivered': {
    says: 'The end of a pass is recorded with the pass: an object that it brought is told as delivered before the device confirms it.',
    state: 'held',
  },
  'explain.consistent': { says: 'No finding of an explanation contradicts its verdict.', state: 'held' },
  'explain.contains': { says: 'An explanation finds an object by the text of an attribute as well.', state: 'held' },
  audit: { says: 'The audit lists who changed what, and when.', state: 'held' },
})
