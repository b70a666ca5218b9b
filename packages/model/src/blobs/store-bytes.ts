import { SyncError } from '@godwit/protocol'
import { BLOB_FOLDER, fileOf } from '../definition/blob-names.js'
import type { DeviceFiles } from '../platform/device-files.js'

/** Stores bytes as the file of a blob and returns its SHA-256. An existing file is written again, so that a sweep does not remove it as unused. */
export async function keepBytes(files: DeviceFiles | undefined, bytes: Uint8Array, id: string): Promise<string> {
  if (!files)
    throw new SyncError(
      'value_not_allowed',
      'expected a platform with file storage, got a file on one without. Nothing was stored.',
    )
  const hasher = files.newHash()
  hasher.update(bytes)
  const hash = hasher.digest()
  const part = `${BLOB_FOLDER}/${id}.copy`
  await files.append(part, bytes)
  await files.finish(part, fileOf(hash))
  return hash
}
