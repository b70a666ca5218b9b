import type { BlobRead, BlobUpload, BlobUploaded } from '../device/blobs.js'
import type { BulkData, BulkRequest } from '../device/bulk.js'
import type { ClientCreated, ClientRegistration, ClientReset } from '../device/client.js'
import type { EventsQuery } from '../device/events.js'
import { MAX_BLOB_UPLOAD, MAX_LOGIN_BYTES, MAX_PUSH_BYTES } from '../device/limits.js'
import type { DeviceLogin, DeviceSession } from '../device/login.js'
import type { Push, PushOutcomes } from '../device/mutation.js'
import type { Page, Pull, PullBody } from '../device/page.js'
import type { Search, SearchResults } from '../device/search.js'
import type { GetObjects, GotObjects, Versions, VersionsQuery } from '../device/versions.js'
import { route } from '../route.js'

/** What a device calls. */
export const deviceRoutes = {
  /** A device user logs in and gets a session, in the answer and as a cookie. */
  login: route<{ body: DeviceLogin; answer: DeviceSession }>()({
    method: 'POST',
    path: '/rc/v1/app/login',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /** Ends the session. */
  logout: route()({ method: 'POST', path: '/rc/v1/app/logout', roles: ['device'], bodyOptional: true }),
  /** Makes a client, one installed device, of the session's user. */
  createClient: route<{ answer: ClientCreated }>()({
    method: 'POST',
    path: '/rc/v1/clients',
    roles: ['device'],
    bodyOptional: true,
  }),
  /** Says how push messages reach the device. */
  registerClient: route<{ body: ClientRegistration }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/register',
    roles: ['device'],
  }),
  /** Makes the next pull of these sources start from zero. */
  resetClient: route<{ body: ClientReset }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/reset',
    roles: ['device'],
    bodyOptional: true,
  }),
  /** A page of what changed in a source since the token; a query that is due runs first. Members of the query string that are not named here are parameters of that query; the header `X-Sync-HINT: 1` says that an event asked, for which a source with poll_interval 0 that was queried once is not queried again. */
  pull: route<{ query: Pull; answer: Page }>()({
    method: 'GET',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
    hint: true,
  }),
  /** The same page, asked for by a JSON body: for pages of other origins, whose browsers ask before each address that is new to them. `parameters` reach the source. */
  pullByBody: route<{ body: PullBody; answer: Page }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/pull',
    roles: ['device'],
    client: true,
    hint: true,
  }),
  /** A stream of server-sent events that stays open: `change` names a source and where it stands, for those that lack it to pull, `check` tells where all stand, `ping` is a push message. `within`: the milliseconds over which devices spread. A comment keeps it alive. */
  events: route<{ query: EventsQuery; answer: string }>()({
    method: 'GET',
    path: '/rc/v1/app/events',
    roles: ['device'],
    client: true,
    clientInQuery: true,
  }),
  /** Mutations made on the device, in order; the answer says what became of them. */
  push: route<{ body: Push; answer: PushOutcomes }>()({
    method: 'POST',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
    bodyLimit: MAX_PUSH_BYTES,
  }),
  /** Which objects of a source there are, with their versions: for a device whose checksum differs. */
  versions: route<{ query: VersionsQuery; answer: Versions }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/versions',
    roles: ['device'],
    client: true,
  }),
  /** Objects of a source by id: for a device that lacks them or has them otherwise. */
  objects: route<{ body: GetObjects; answer: GotObjects }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/objects',
    roles: ['device'],
    client: true,
  }),
  /** A part of a blob on its way to the server, before a mutation names it; answers how far the blob is. */
  uploadBlob: route<{ query: BlobUpload; body: Uint8Array; answer: BlobUploaded }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/blobs',
    roles: ['device'],
    queryInHeader: true,
    bytes: true,
    bodyLimit: MAX_BLOB_UPLOAD,
  }),
  /** The bytes of a blob that an object of the user names; in part, where the header `Range` asks for it. */
  readBlob: route<{ query: BlobRead; answer: Uint8Array }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/blobs/<hash>',
    roles: ['device'],
  }),
  /** Asks backends for objects that the device does not have. */
  search: route<{ body: Search; answer: SearchResults }>()({
    method: 'POST',
    path: '/rc/v1/app/search',
    roles: ['device'],
  }),
  /** The data of whole sources as one SQLite file, compressed by gzip. */
  bulkData: route<{ body: BulkRequest; answer: BulkData }>()({
    method: 'POST',
    path: '/rc/v1/app/bulk_data',
    roles: ['device'],
    client: true,
  }),
  /** The file of a bulk answer, with `Range` and `If-None-Match`. */
  bulkFile: route<{ answer: Uint8Array }>()({
    method: 'GET',
    path: '/rc/v1/app/bulk_data/<bulk_id>/<hash>',
    roles: ['device'],
  }),
} as const
