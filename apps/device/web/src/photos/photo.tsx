import type { BlobRef } from '@godwit/model'
import { useBlobUrl } from '@godwit/react'

/** A photo of a visit, in a place that is there before its bytes are. */
export function Photo({ blob, of }: { readonly blob: BlobRef; readonly of: string }) {
  const url = useBlobUrl(blob)
  return <span className="photo">{url === undefined ? null : <img src={url} alt={of} />}</span>
}
