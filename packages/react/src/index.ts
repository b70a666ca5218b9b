export {
  type DeviceError,
  DeviceProvider,
  type DeviceProviderProps,
  type HookDevice,
  type Register,
  type RegisteredDevice,
  useDevice,
} from './provider.js'
export { useBlobUrl } from './use-blob-url.js'
export { type Draft, type DraftRow, useDraft } from './use-draft.js'
export { useOverwritten } from './use-overwritten.js'
export { useQuery, useSuspenseQuery } from './use-query.js'
export { useRefusals } from './use-refusals.js'
export { type LiveRow, useRow } from './use-row.js'
export { useSourceStatus } from './use-source-status.js'
export { useSubscription } from './use-subscription.js'
export { useSyncStatus } from './use-sync-status.js'
