import type { BlobRef } from '@godwit/model'
import { useEffect, useState } from 'react'
import { type HookDevice, useHookDevice } from './provider.js'

/** Returns a URL for a blob, for `<img src>`; undefined until its file is on the device. It is revoked when the component unmounts. */
export function useBlobUrl(blob: BlobRef | undefined): string | undefined {
  const device = useHookDevice()
  const hash = blob?.hash
  const [displayed, show] = useState<{ readonly hash: string; readonly url: string }>()
  useEffect(() => {
    return hash === undefined ? undefined : urlOf(device, hash, url => show({ hash, url }))
  }, [device, hash])
  return displayed && displayed.hash === hash ? displayed.url : undefined
}

/** Passes the URL to `give` when the file is available. Call the result to stop. */
function urlOf(device: HookDevice, hash: string, give: (url: string) => void): () => void {
  const events = device.events()
  const unsubscribe = device.status.subscribe(retry)
  let url: string | undefined
  let isOver = false
  let isUnanswered = false

  async function look(): Promise<void> {
    try {
      const made = await device.blobUrl?.({ hash })
      if (made === undefined) return
      if (isOver || url !== undefined) return URL.revokeObjectURL(made)
      url = made
      give(made)
      end()
    } catch {
      // The image stays empty without a URL; the device reports errors as events.
      isUnanswered = true
    }
  }
  async function wait(): Promise<void> {
    await look()
    for await (const event of events) if ((event as { kind?: string }).kind === 'blob') await look()
  }
  function retry(): void {
    if (!isUnanswered || device.status.current().problem) return
    isUnanswered = false
    void look()
  }
  function end(): void {
    unsubscribe()
    void events.return().catch(() => {})
  }
  wait().catch(() => {})
  return () => {
    isOver = true
    end()
    if (url !== undefined) URL.revokeObjectURL(url)
  }
}
