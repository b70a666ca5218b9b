import type { BlobRead, BlobUpload, BlobUploaded } from '../device/blobs.js'
import type { ClientCreated, ClientRegistration, ClientReset } from '../device/client.js'
import type { EventsQuery } from '../device/events.js'
import { MAX_BLOB_UPLOAD, MAX_PUSH_BYTES } from '../device/limits.js'
import type { DeviceLogin, DeviceSession } from '../device/login.js'
import type { Push, Pushed } from '../device/mutation.js'
import type { Page, Pull } from '../device/page.js'
import type { Search, SearchResults } from '../device/search.js'
import type { GetObjects, GotObjects, Versions, VersionsQuery } from '../device/versions.js'
import { route } from '../route.js'

/** What a device calls. */
export const deviceRoutes = {
  login: route<{ body: DeviceLogin; answer: DeviceSession }>()({
    method: 'POST',
    path: '/rc/v1/app/login',
    roles: ['open'],
  }),
  logout: route()({ method: 'POST', path: '/rc/v1/app/logout', roles: ['device'], bodyOptional: true }),
  createClient: route<{ answer: ClientCreated }>()({
    method: 'POST',
    path: '/rc/v1/clients',
    roles: ['device'],
    bodyOptional: true,
  }),
  registerClient: route<{ body: ClientRegistration }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/register',
    roles: ['device'],
  }),
  resetClient: route<{ body: ClientReset }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/reset',
    roles: ['device'],
    bodyOptional: true,
  }),
  pull: route<{ query: Pull; answer: Page }>()({
    method: 'GET',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
  }),
  events: route<{ query: EventsQuery; answer: string }>()({
    method: 'GET',
    path: '/rc/v1/app/events',
    roles: ['device'],
    client: true,
    clientInQuery: true,
  }),
  push: route<{ body: Push; answer: Pushed }>()({
    method: 'POST',
    path: '/app/v1/<source_name>',
    roles: ['device'],
    client: true,
    bodyLimit: MAX_PUSH_BYTES,
  }),
  versions: route<{ query: VersionsQuery; answer: Versions }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/versions',
    roles: ['device'],
    client: true,
  }),
  objects: route<{ body: GetObjects; answer: GotObjects }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/objects',
    roles: ['device'],
    client: true,
  }),
  uploadBlob: route<{ query: BlobUpload; body: Uint8Array; answer: BlobUploaded }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/blobs',
    roles: ['device'],
    bytes: true,
    bodyLimit: MAX_BLOB_UPLOAD,
  }),
  readBlob: route<{ query: BlobRead; answer: Uint8Array }>()({
    method: 'GET',
    path: '/app/v1/<source_name>/blobs/<hash>',
    roles: ['device'],
  }),
  search: route<{ body: Search; answer: SearchResults }>()({
    method: 'POST',
    path: '/rc/v1/app/search',
    roles: ['device'],
  }),
} as const
