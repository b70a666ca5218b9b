import { openSdkOn, type Sdk, type SdkOptions } from '@godwit/model/driver'
import { driveOn, filesOn } from './suite-places.js'

/** Stands in for the entry for Node: a device in a folder. */
export const openSdk = async (options: SdkOptions & { readonly directory: string }): Promise<Sdk> =>
  openSdkOn(await driveOn('opfs', options.directory), options, { files: await filesOn(options.directory) })
