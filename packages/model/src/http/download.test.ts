import { expect, test } from '@jest/globals'
import type { DeviceFiles } from '../platform/device-files.js'
import { download } from './download.js'

test('a file that cannot be written gives its connection back', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: controller => controller.enqueue(new Uint8Array(10)),
    cancel() {
      isCancelled = true
    },
  })
  const files = {
    size: () => undefined,
    remove: async () => {},
    async append(_: string, bytes: Uint8Array) {
      if (bytes.length > 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  } as unknown as DeviceFiles
  const open = async (): Promise<Response> => new Response(body)
  await expect(download(files, { name: 'file', hash: '', open })).rejects.toThrow()
  expect(isCancelled).toBe(true)
})
