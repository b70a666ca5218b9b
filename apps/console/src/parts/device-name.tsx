import type { ClientLine } from '@godwit/admin-client'
import type { ReactNode } from 'react'

type NamedDevice = Pick<
  ClientLine,
  'client_id' | 'user' | 'device_type' | 'device_push_type' | 'device_app_id' | 'device_app_version'
>

const TYPES: { readonly [type: string]: string } = {
  apple: 'Apple device',
  apns: 'Apple device',
  iphone: 'iPhone',
  ipad: 'iPad',
  android: 'Android',
  fcm: 'Android',
  gcm: 'Android',
  webpush: 'Browser',
}

/** Returns the name of a device: its type and app, as far as it registered them. */
export function deviceName({ user, device_app_id, device_app_version, ...device }: NamedDevice): string {
  const type = device.device_type ?? device.device_push_type ?? ''
  const known = Object.hasOwn(TYPES, type.toLowerCase()) ? TYPES[type.toLowerCase()] : type
  const app = [device_app_id, device_app_version].filter(Boolean).join(' ')
  return [known, app].filter(Boolean).join(' · ') || `Device of ${user}`
}

/** A link to a device: its name, with the id below it. */
export const DeviceLink = ({ device, href }: { readonly device: NamedDevice; readonly href: string }): ReactNode => (
  <span className="named">
    <a className="cut" href={href} title={deviceName(device)} aria-describedby={`id-${device.client_id}`}>
      {deviceName(device)}
    </a>
    <span className="mono soft small cut" title={device.client_id} id={`id-${device.client_id}`}>
      {device.client_id}
    </span>
  </span>
)
