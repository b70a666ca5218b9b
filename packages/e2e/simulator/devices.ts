import { Device } from './device.js'
import type { DeviceParts } from './device-parts.js'

/** The devices of a plan, each with its first user. */
export const devicesOf = (parts: DeviceParts): readonly Device[] =>
  parts.plan.devices.map((login, at) => new Device(`device ${at + 1}`, login, parts))
