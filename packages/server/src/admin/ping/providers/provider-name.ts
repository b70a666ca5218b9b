// Other names that devices register for themselves.
const NAMES: ReadonlyMap<string, string> = new Map([
  ['apple', 'apns'],
  ['iphone', 'apns'],
  ['android', 'fcm'],
  ['gcm', 'fcm'],
])

/** Returns the provider's name for a `device_push_type`, or without one for a `device_type`. */
export function providerName(pushType: string | undefined, deviceType: string | undefined): string | undefined {
  const type = (pushType || deviceType)?.toLowerCase()
  return type && (NAMES.get(type) ?? type)
}
