export { isSyncError, SyncError } from '@godwit/protocol'
export { type BrowserDevice, type DeviceOptions, openDevice } from './browser/open-device.js'
export {
  type PushDevice,
  type PushOptions,
  type PushState,
  renewPush,
  subscribePush,
  unsubscribePush,
} from './browser/push-subscription.js'
export { type ActionTypes, type RemoteActions, remoteActions } from './remote/actions.js'
export type { DeviceStatus, SourceStatus } from './remote/protocol.js'
export type { RemoteDevice, RemoteEvent, RemoteOverwritten, RemoteRefusal, Snapshot } from './remote/remote-device.js'
export type { BlobLike } from './typed/attribute.js'
