export { isSyncError, SyncError } from '@godwit/protocol'
export type { Timers } from './platform/timers.js'
export {
  type ActionArgument,
  type Actions,
  type ActionTypes,
  defineActions,
  type RemoteActions,
  remoteActions,
} from './remote/actions.js'
export { type DeviceHost, type HostOptions, hostDevice } from './remote/host.js'
export type { PortLike } from './remote/port.js'
export type { CallKind, DeviceStatus, HostStatus, SourceStatus } from './remote/protocol.js'
export type { PlatformCall } from './remote/remote-call.js'
export type { RemoteDevice, RemoteEvent, RemoteOverwritten, RemoteRefusal, Snapshot } from './remote/remote-device.js'
export { openRemote, type RemoteLink, type RemoteOptions, remoteLink } from './remote/remote-link.js'
export type { TakeBlob } from './remote/take-blobs.js'
export type { BlobLike } from './typed/attribute.js'
