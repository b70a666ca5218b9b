import type { BlobRef, DeviceStatus, LiveQuery, Snapshot } from '@godwit/model'
import { createContext, createElement, type ReactNode, useContext } from 'react'

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

/** Provides a device to the hooks of all components within. */
export const DeviceProvider = ({ device, children }: { readonly device: HookDevice; readonly children?: ReactNode }) =>
  createElement(DeviceContext, { value: device }, children)

/** The device of the nearest `DeviceProvider`. Throws without one. */
export const useDevice = (): RegisteredDevice => useHookDevice() as RegisteredDevice

export function useHookDevice(): HookDevice {
  const device = useContext(DeviceContext)
  if (device) return device
  throw new Error(
    'expected a DeviceProvider around this component, got none. Render it within <DeviceProvider device={device}>.',
  )
}
