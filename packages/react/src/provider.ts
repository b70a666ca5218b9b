import type { BlobRef, DeviceStatus, LiveQuery, Snapshot } from '@godwit/model'
import { createContext, createElement, type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react'

/** The part of a device that the hooks use: `openDevice` in a browser and `openRemote` elsewhere return it. */
export interface HookDevice {
  readonly status: Snapshot<DeviceStatus>
  liveRefused(model?: never): LiveQuery<object>
  liveOverwritten(model?: never): LiveQuery<object>
  events(): AsyncGenerator<object, void, void>
  /** Undefined if the file is not on the device yet. Absent on platforms without object URLs. */
  blobUrl?(blob: BlobRef): Promise<string | undefined>
}

/** Declares the type of your device: `declare module '@godwit/react' { interface Register { device: typeof device } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: apps add their device
export interface Register {}
/** The type of the app's device, as declared in `Register`; without it, a device of any models. */
export type RegisteredDevice = Register extends { readonly device: infer Device } ? Device : HookDevice

const DeviceContext = createContext<HookDevice | undefined>(undefined)

/** An error that no call waits for: of a source or its backend, of a live query, or of the device itself, whose source is null. */
export interface DeviceError {
  readonly source: string | null
  readonly error: { readonly code: string; readonly message: string }
}

/** Properties of `DeviceProvider`. */
export interface DeviceProviderProps {
  readonly device: HookDevice
  /** Called with each error that no call waits for. */
  readonly onError?: ((error: DeviceError) => void) | undefined
  readonly children?: ReactNode
}

/** Provides a device to the hooks of all components within. */
export function DeviceProvider({ device, onError, children }: DeviceProviderProps) {
  const handler = useRef(onError)
  useLayoutEffect(() => {
    handler.current = onError
  })
  const isHandled = onError !== undefined
  useEffect(() => (isHandled ? watchErrors(device, error => handler.current?.(error)) : undefined), [device, isHandled])
  return createElement(DeviceContext, { value: device }, children)
}

/** Call the result to stop. */
function watchErrors(device: HookDevice, handle: (error: DeviceError) => void): () => void {
  const events = device.events()
  async function watch(): Promise<void> {
    for await (const event of events) {
      if (!isError(event)) continue
      const { source, error } = event
      // A handler that throws is reported, and called with the next error all the same.
      queueMicrotask(() => handle({ source, error }))
    }
  }
  watch().catch(() => {})
  return () => void events.return().catch(() => {})
}

const isError = (event: object): event is DeviceError => 'kind' in event && event.kind === 'error'

/** The device of the nearest `DeviceProvider`. Throws without one. */
export const useDevice = (): RegisteredDevice => useHookDevice() as RegisteredDevice

export function useHookDevice(): HookDevice {
  const device = useContext(DeviceContext)
  if (device) return device
  throw new Error(
    'expected a DeviceProvider around this component, got none. Render it within <DeviceProvider device={device}>.',
  )
}
