import { requirements } from '../requirement.js'

export const system = requirements('behaviour.system', {
  state: {
    says: 'GET /rc/v1/system/state tells what the server holds and what should be looked after.',
    state: 'held',
  },
  'login.json': {
    says: 'A login that accepts application/json is answered with token, expires_at, login and role.',
    state: 'held',
  },
  'login.bare': { says: 'A login that does not ask for JSON is answered with the bare token.', state: 'held' },
  'token.lifetime': { says: 'A token lives 30 days.', state: 'held' },
  'token.lifetime-configured': { says: 'The lifetime of tokens can be configured.', state: 'held' },
  'token.sliding': {
    says: 'With sliding lifetimes configured, use of a token extends it; with fixed ones it does not.',
    state: 'held',
  },
  'tokens.list': {
    says: "GET /rc/v1/system/tokens lists the caller's own tokens, and all of them for an admin.",
    state: 'held',
  },
  'tokens.revoke': {
    says: "DELETE /rc/v1/system/tokens/<id> revokes a token of one's own, and any token for an admin.",
    state: 'held',
  },
  'tokens.foreign': {
    says: 'A token of another owner can neither be seen nor revoked by one who is not an admin.',
    state: 'held',
  },
  'license.licensee': { says: 'The license information names the licensee as a string.', state: 'held' },
  'license.license': { says: 'The license information names the license Apache-2.0.', state: 'held' },
  'license.version': { says: 'The license information names the version of the server.', state: 'held' },
  'license.seats': { says: 'The seats of the license are null, which means unlimited.', state: 'held' },
  'license.devices': { says: 'The license information counts the devices.', state: 'held' },
  'license.issued': { says: 'The license information tells when it was issued.', state: 'held' },
  'reset.users': { says: 'A reset drops users, clients and sessions.', state: 'held' },
  'reset.documents': { says: 'A reset drops server documents and collections.', state: 'held' },
  'reset.jobs': { says: 'A reset drops jobs and metrics.', state: 'held' },
  'reset.settings': { says: 'A reset drops the address of the backend and changed source settings.', state: 'held' },
  'reset.bootstrap': {
    says: 'A reset brings back the admin, the configured sources and, in development, the demo users.',
    state: 'held',
  },
  'reset.epochs': {
    says: 'Collections have new epochs after a reset, so that every device starts over.',
    state: 'held',
  },
  'reset.survivors': {
    says: 'The token of the caller, the password of the admin and the audit survive a reset.',
    state: 'held',
  },
  'appserver.shape': {
    says: 'The address of the backend is answered as adapter_url, null where none is set.',
    state: 'held',
  },
  'appserver.own-secret': {
    says: 'Without a configured secret the server makes one, keeps it in its store, shows it to admins, and signs calls with it.',
    state: 'held',
  },
  'appserver.unconfigured': {
    says: 'Where the configuration names no backend, only an admin sets the address.',
    state: 'held',
  },
  'appserver.left-over': {
    says: 'Nothing is sent to the address of a backend that the configuration no longer names.',
    state: 'held',
  },
  'appserver.due': { says: 'Setting another address makes the sources that it serves due.', state: 'held' },
  'appserver.clear': { says: 'An adapter_url of null or an empty string clears the address.', state: 'held' },
  'appserver.restart': { says: 'The address of the backend survives a restart.', state: 'held' },
  'appserver.scheme': {
    says: 'An address of the backend with a scheme other than http or https is refused.',
    state: 'held',
  },
  'appserver.credentials': { says: 'An address of the backend with credentials in it is refused.', state: 'held' },
  'appserver.private': {
    says: 'Loopback, private, link-local and reserved addresses are refused in production.',
    state: 'held',
  },
  'appserver.notation': {
    says: 'A refused address is refused in any notation of it: decimal, octal, hexadecimal, mapped to IPv6.',
    state: 'held',
  },
  'appserver.resolution': { says: 'A name that resolves to a refused address is refused.', state: 'held' },
  'appserver.development': { says: 'Private addresses are allowed in development.', state: 'held' },
  'appserver.private-allowed': {
    says: 'SYNC_ALLOW_PRIVATE_BACKENDS allows private addresses in production.',
    state: 'held',
  },
  'appserver.metadata-service': {
    says: 'Addresses in 169.254.0.0/16 and their kin are refused everywhere, whatever is allowed.',
    state: 'held',
  },
  'state.processes': {
    says: 'GET /rc/v1/system/state tells of all processes of a store, with their requests and errors added up.',
    state: 'held',
  },
  'stats.names-sorted': { says: 'Metric names come sorted.', state: 'held' },
  'stats.buckets': {
    says: 'Statistics are buckets of time, count, sum, min and max, the time in Unix seconds.',
    state: 'held',
  },
  'stats.seconds': { says: 'Durations in statistics are in seconds.', state: 'held' },
  'stats.index-range': { says: 'start and finish are indexes of buckets.', state: 'held' },
  'stats.last': { says: 'An index of -1 is the last bucket.', state: 'held' },
  'stats.running': { says: 'The running bucket is among the answered ones.', state: 'held' },
  'stats.known-empty': { says: 'A known metric without buckets is answered with an empty list.', state: 'held' },
  'stats.neither': {
    says: 'A request for statistics with neither names nor metric is refused with 422.',
    state: 'held',
  },
  'stats.http-keys': {
    says: 'A request counts under http:<METHOD>:<path>, where the path keeps its named placeholders.',
    state: 'held',
  },
  'stats.source-keys': {
    says: 'A call of an adapter counts under source:<operation>:<Source> for query, create, update, delete, search and login.',
    state: 'held',
  },
  'stats.gauges': { says: 'The gauges users and clients are answered as time and value.', state: 'held' },
  'stats.bucket-length': { says: 'A bucket covers 60 seconds.', state: 'held' },
  'stats.retention': { says: 'Buckets are kept for 31 days.', state: 'held' },
  'stats.no-foreign-keys': { says: 'Requests to unknown paths and sources make no metric keys.', state: 'held' },
  'stats.glob-linear': { says: 'A hostile pattern of metric names is matched in linear time.', state: 'held' },
  'stats.glob-length': { says: 'A pattern of metric names over 256 characters is refused.', state: 'held' },
})
