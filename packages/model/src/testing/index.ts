export { type DeviceCounts, ListeningDevice, type ListeningDeviceOptions } from './listening-device.js'
