import { requirements } from '../requirement.js'

export const sdk = requirements('behaviour.sdk', {
  login: { says: 'login opens a session, after which isLoggedIn is true.', state: 'held' },
  'login.discard': {
    says: 'login of another user with unsent changes fails unless discard says to drop them.',
    state: 'held',
  },
  logout: { says: 'logout ends the session, after which isLoggedIn is false.', state: 'held' },
  'sync.all': { says: 'sync synchronizes all models and answers a summary.', state: 'held' },
  'sync.source': { says: 'sync of one source leaves the others alone.', state: 'held' },
  'sync.query': { says: 'sync hands its query parameters to the source.', state: 'held' },
  'sync.refused-not-rejected': {
    says: 'sync does not reject when it was tried and something failed.',
    state: 'held',
  },
  'sync.logged-out': { says: 'sync rejects with a typed error when logged out.', state: 'held' },
  'sync.offline': { says: 'sync rejects with a typed error when offline.', state: 'held' },
  'sync.back-off': { says: 'sync is tried at once whatever the back-off says.', state: 'held' },
  'stop-sync': { says: 'stopSync ends a running sync between pages and keeps what is stored.', state: 'held' },
  search: { says: 'search brings results of the server among the local rows.', state: 'held' },
  'bulk-sync': { says: 'bulkSync loads partitions as files.', state: 'held' },
  'first-file': {
    says: 'The first sync of an app source loads what is left of it after a page as a file, if that is over 20,000 rows and the server has the file; pages bring it otherwise.',
    state: 'held',
  },
  'sql-timeout': {
    says: 'SQL that takes longer than the device or the call allows ends with sql_timeout, and leaves no statement and no transaction open.',
    state: 'held',
  },
  'sql-timeout.live': {
    says: 'A live query that takes too long tells so once, pauses, and answers again when it can.',
    state: 'held',
  },
  events: { says: 'events gives the events of the SDK one after the other.', state: 'held' },
  'notification.set': { says: 'A notification set for a source hears of its syncs.', state: 'held' },
  'notification.all': { says: 'A notification set for * hears of all sources.', state: 'held' },
  'notification.clear': { says: 'A cleared notification hears nothing more.', state: 'held' },
  'notification.object': { says: 'An object notification hears of changes to objects by sync.', state: 'held' },
  'notification.in-progress': {
    says: 'A notification has the status in_progress while pages come in.',
    state: 'held',
  },
  'notification.ok': { says: 'A notification has the status ok when a source is done.', state: 'held' },
  'notification.complete': {
    says: 'A notification has the status complete when all sources are done.',
    state: 'held',
  },
  'notification.error': {
    says: 'A notification has the status error with error_code and error_message when a source failed.',
    state: 'held',
  },
  'notification.schema-changed': {
    says: 'A notification has the status schema_changed when the schema of a source changed.',
    state: 'held',
  },
  'notification.processed-count': { says: 'processed_count counts the objects of the page.', state: 'held' },
  'notification.cumulative-count': { says: 'cumulative_count counts the objects of the run.', state: 'held' },
  'notification.total-count': { says: 'total_count is the number of objects of the source.', state: 'held' },
  'last-count': { says: 'getLastSyncObjectCount answers the number of objects of the last sync.', state: 'held' },
  'poll-interval.default': { says: 'After a login the SDK synchronizes every 60 seconds.', state: 'held' },
  'poll-interval.off': { says: 'A pollInterval of 0 ends synchronizing by itself.', state: 'held' },
  'poll-interval.timers': { says: 'The timers of the SDK never keep a process alive.', state: 'held' },
  'page-size': { says: 'The SDK asks for pages of 2000 rows.', state: 'held' },
  'user-name': { says: 'userName is the login of the user.', state: 'held' },
  'reset.local': { says: 'databaseLocalReset removes local models and leaves synchronized ones.', state: 'held' },
  'reset.client': {
    says: 'databaseClientReset also gives up the client, so that the next sync makes a new one.',
    state: 'held',
  },
  'reset.full': {
    says: 'databaseFullReset removes the rows of synchronized models, so that the next sync loads them again.',
    state: 'held',
  },
  'rows-before-login': { says: 'Rows made before the first login belong to the first login.', state: 'held' },
  'client-id.none': { says: 'client_id is null before there is a client.', state: 'held' },
  'refresh-time.format': { says: 'getBackendRefreshTime is ISO text.', state: 'held' },
  'refresh-time.none': { says: "getBackendRefreshTime is '' before the first sync.", state: 'held' },
  'client-id.kept': {
    says: 'client_id is the id of the client from the first sync on, over logout and login.',
    state: 'held',
  },
  'events-end': { says: 'A reader of events that leaves is done at once.', state: 'held' },
  'local-reset': { says: 'databaseLocalReset leaves models outside the partition local alone.', state: 'held' },
  'notification.refused': {
    says: 'Refused changes are told by a notification with the status error, with code and objects in server_errors.',
    state: 'held',
  },
  'no-server': { says: 'A device without models that sync opens without a server.', state: 'held' },
  'server-address': { says: 'What is no address of a server is refused when the device is opened.', state: 'held' },
  'first-sync.login': { says: 'After a login the first rows come at once, without a call of sync.', state: 'held' },
  'first-sync.opening': {
    says: 'A device with a session syncs in a later task after it was opened, and models made later sync soon.',
    state: 'held',
  },
  'first-sync.same': {
    says: 'A sync without parameters while the first one waits or runs is that one, with what was written since.',
    state: 'held',
  },
  'sync.unused-model': { says: 'A model that was made to sync is synced though it was not used yet.', state: 'held' },
  'sync.backend-error': {
    says: 'A source whose backend fails has an error in the summary of sync and is named in complete.failed, and the run goes on.',
    state: 'held',
  },
  'sync.back-off.source': {
    says: 'A source whose backend fails backs off alone; others keep their interval and their hints.',
    state: 'held',
  },
  'writes.at-once': {
    says: 'What the app writes leaves as a push alone within 20 to 50 ms, then at most once a second for each source.',
    state: 'held',
  },
  'writes.with-sync': { says: 'With sendWrites with-sync writes leave with the next sync.', state: 'held' },
  'writes.beside': { says: 'A push does not wait for the first pull of another source.', state: 'held' },
  'writes.offline': {
    says: 'Without a network writes are not sent in vain, and leave at once when there is one again.',
    state: 'held',
  },
  'writes.echo': {
    says: 'What is written while a refusal or an observer is told leaves with the next request, or after 1, 2, 4 … 60 s.',
    state: 'held',
  },
  'writes.busy': {
    says: 'A source with 20 requests in a minute makes one every 5 s, and an event busy tells it.',
    state: 'held',
  },
  'writes.close': {
    says: 'Closing sends for at most 2 s what was written, if the last request was answered.',
    state: 'held',
  },
  'locked.again': { says: 'A device that another process syncs is tried again within 0.2 to 5 s.', state: 'held' },
})
