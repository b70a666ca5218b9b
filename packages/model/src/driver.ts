export type { Drive, Driver, SqlRow, SqlValue, Statement } from './database/driver.js'
export { openSdkOn, type SdkOptions } from './open-sdk.js'
export type { Sdk } from './sdk.js'
