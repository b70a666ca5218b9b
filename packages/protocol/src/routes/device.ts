import type { BlobRead, BlobUpload, BlobUploaded } from '../device/blobs.js'
import type { BulkData, BulkRequest } from '../device/bulk.js'
import type { ClientCreated, ClientRegistration, ClientReset } from '../device/client.js'
import type { EventsQuery } from '../device/events.js'
import { MAX_BLOB_UPLOAD, MAX_LOGIN_BYTES, MAX_PUSH_BYTES } from '../device/limits.js'
import type { DeviceLogin, DeviceSession } from '../device/login.js'
import type { Push, PushOutcomes } from '../device/mutation.js'
import type { Page, Pull, PullBody } from '../device/page.js'
import type { AnyPages } from '../device/partition-pages.js'
import type { PushKey } from '../device/push-key.js'
import type { Search, SearchResults } from '../device/search.js'
import type { GetObjects, GotObjects, Versions, VersionsQuery } from '../device/versions.js'
import { route } from '../route.js'

/** The routes of devices. */
export const deviceRoutes = {
  /** Logs in a device user and returns a session, also as a cookie. */
  login: route<{ body: DeviceLogin; answer: DeviceSession }>()({
    method: 'POST',
    path: '/rc/v1/app/login',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /** Ends the session. */
  logout: route()({ method: 'POST', path: '/rc/v1/app/logout', roles: ['device'], bodyOptional: true }),
  /** Creates a client, an installed device, for the session's user. */
  createClient: route<{ answer: ClientCreated }>()({
    method: 'POST',
    path: '/rc/v1/clients',
    roles: ['device'],
    bodyOptional: true,
  }),
  /** Registers the device for push messages. */
  registerClient: route<{ body: ClientRegistration }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/register',
    roles: ['device'],
  }),
  /** Returns the key with which pages subscribe to push messages. */
  pushKey: route<{ answer: PushKey }>()({ method: 'GET', path: '/rc/v1/app/push', roles: ['device'] }),
  /** Makes the next pull of these sources start from zero. */
  resetClient: route<{ body: ClientReset }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/reset',
    roles: ['device'],
    bodyOptional: true,
  }),
  /**
   * Returns a page of changes of a source since the token; a due query runs first, with query string members not named here as its parameters.
   * `X-Sync-HINT: 1` marks a pull that an event caused: it does not repeat the query of a source with poll_interval 0.
   */
  pull: route<{ query: Pull; answer: Page }>()({
    method: 'GET',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
    hint: true,
  }),
  /**
   * Returns a page like `pull`, requested by a JSON body, so that pages of other origins need only one CORS preflight request. `parameters` are
   * passed to the source's query. For a source with `by`, `pulls` names the partitions, and the answer has a page for each of them.
   */
  pullByBody: route<{ body: PullBody; answer: AnyPages }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/pull',
    roles: ['device'],
    client: true,
    hint: true,
  }),
  /**
   * Streams server-sent events to a device: `change` names a source and its version, so that devices behind it pull; `check` gives the versions of
   * all sources; `ping` is a push message. Of a source with `by`, `change` also has the `parameters` of the partition, `check` has `partitions`, and
   * `access` says that the list of the user's partitions may have changed. `within` is the number of milliseconds over which devices spread their pulls; comments keep the connection
   * alive.
   */
  events: route<{ query: EventsQuery; answer: string }>()({
    method: 'GET',
    path: '/rc/v1/app/events',
    roles: ['device'],
    client: true,
    clientInQuery: true,
  }),
  /** Accepts mutations in order and returns their outcomes. */
  push: route<{ body: Push; answer: PushOutcomes }>()({
    method: 'POST',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
    bodyLimit: MAX_PUSH_BYTES,
  }),
  /** Lists ids and versions of the objects of a source, for a device whose checksum differs. */
  versions: route<{ query: VersionsQuery; answer: Versions }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/versions',
    roles: ['device'],
    client: true,
  }),
  /** Returns objects of a source by id, for a device that lacks them or has other versions. */
  objects: route<{ body: GetObjects; answer: GotObjects }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/objects',
    roles: ['device'],
    client: true,
  }),
  /** Uploads a part of a blob, before a mutation references it, and returns the state of the upload. */
  uploadBlob: route<{ query: BlobUpload; body: Uint8Array; answer: BlobUploaded }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/blobs',
    roles: ['device'],
    queryInHeader: true,
    bytes: true,
    bodyLimit: MAX_BLOB_UPLOAD,
  }),
  /** Returns the bytes of a blob that an object of the user references. Supports the header `Range`. */
  readBlob: route<{ query: BlobRead; answer: Uint8Array }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/blobs/<hash>',
    roles: ['device'],
  }),
  /** Searches backends for objects that the device does not have. */
  search: route<{ body: Search; answer: SearchResults }>()({
    method: 'POST',
    path: '/rc/v1/app/search',
    roles: ['device'],
  }),
  /** Returns the data of whole sources as one SQLite file, compressed with gzip. */
  bulkData: route<{ body: BulkRequest; answer: BulkData }>()({
    method: 'POST',
    path: '/rc/v1/app/bulk_data',
    roles: ['device'],
    client: true,
  }),
  /** Returns a bulk file. Supports the headers `Range` and `If-None-Match`. */
  bulkFile: route<{ answer: Uint8Array }>()({
    method: 'GET',
    path: '/rc/v1/app/bulk_data/<bulk_id>/<hash>',
    roles: ['device'],
  }),
} as const
