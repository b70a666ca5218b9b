import { MAX_ID_BYTES, type ObjectId, SyncError } from '@godwit/protocol'

/** Converts an id to its stored form: well-formed text of 1 to 1,024 bytes of UTF-8. Throws `body_invalid` for others. */
export function storedId(id: ObjectId): ObjectId {
  const stored = id.toWellFormed()
  const bytes = utf8Length(stored)
  if (bytes >= 1 && bytes <= MAX_ID_BYTES) return stored
  throw new SyncError(
    'body_invalid',
    `expected an object id of 1 to ${MAX_ID_BYTES} bytes of UTF-8, got one of ${bytes}.`,
    {
      details: { bytes },
    },
  )
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    // Each surrogate counts two bytes: four for the pair.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}

/** Compares well-formed ids by their UTF-8 bytes, which is the order of code points. */
export function compareIds(left: ObjectId, right: ObjectId): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const one = left.charCodeAt(index)
    const other = right.charCodeAt(index)
    if (one !== other) return codePointRank(one) - codePointRank(other)
  }
  return left.length - right.length
}

// Surrogates encode code points above U+FFFF, but their code units are below U+E000.
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
