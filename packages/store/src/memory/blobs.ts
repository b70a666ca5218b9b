import type { BlobCharge, BlobFacts, BlobName, BlobPart, Blobs, LimitedCharge } from '../blobs.js'
import { compareIds } from '../history/index.js'

interface BlobEntry extends BlobName {
  readonly size: number
  readonly instance: string
  readonly holders: Map<string, number>
  readonly parts: Uint8Array[]
  received: number
  complete: boolean
  touched: number
  charge: BlobCharge | undefined
}

export interface MemoryBlobs extends Blobs {
  clear(): void
}

export function memoryBlobs(clock: () => number): MemoryBlobs {
  const blobs = new Map<string, BlobEntry>()
  let instances = 0
  const find = (blob: BlobName) => blobs.get(keyOf(blob))
  const bytesChargedTo = (account: string): number =>
    [...blobs.values()].reduce((sum, { charge }) => sum + (isOf(charge, account) ? charge.bytes : 0), 0)
  const hasRoom = ({ account, bytes, limit }: LimitedCharge): boolean =>
    bytesChargedTo(account) === 0 || bytesChargedTo(account) + bytes <= limit
  return {
    find: async blob => blobFacts(find(blob)),
    append: async (blob, part, charge) => {
      const kept = find(blob) ?? createEntry(blob, part, { instance: String(++instances), charge })
      if (kept === undefined || !continues(kept, part)) return blobFacts(find(blob))
      if (charge && find(blob) === undefined && !hasRoom(charge)) return undefined
      kept.parts.push(Uint8Array.from(part.bytes))
      kept.received += part.bytes.length
      kept.touched = clock()
      blobs.set(keyOf(blob), kept)
      return blobFacts(kept)
    },
    complete: async (blob, instance) => {
      const kept = find(blob)
      if (kept === undefined || kept.received < kept.size || !isInstance(kept, instance)) return false
      kept.complete = true
      return true
    },
    charge: async (blob, charge) => {
      const kept = find(blob)
      if (kept) kept.charge = charge
      return kept !== undefined
    },
    charged: async account => bytesChargedTo(account),
    read: async (blob, { offset, length }) => {
      const whole = Buffer.concat(find(blob)?.parts ?? [])
      return Uint8Array.from(whole.subarray(offset, offset + length))
    },
    touch: async blob => {
      const kept = find(blob)
      if (kept) kept.touched = clock()
      return kept !== undefined
    },
    untouched: async ({ since, after, limit }) =>
      [...blobs.values()]
        .filter(({ touched }) => touched <= since)
        .sort(compareBlobs)
        .filter(blob => after === undefined || compareBlobs(blob, wellFormedBlobName(after)) > 0)
        .slice(0, limit)
        .map(({ scope, name }) => ({ scope, name })),
    hold: async (blob, holder) => {
      const kept = find(blob)
      if (kept?.complete !== true) return false
      kept.touched = clock()
      kept.holders.set(holder.toWellFormed(), kept.touched)
      return true
    },
    release: async (blob, holder) => {
      const kept = find(blob)
      if (kept?.holders.delete(holder.toWellFormed())) kept.touched = clock()
    },
    holders: async blob => [...(find(blob)?.holders ?? [])].map(([holder, at]) => ({ holder, at })),
    remove: async (blob, { untouchedSince, instance } = {}) => {
      const kept = find(blob)
      if (kept === undefined || !isInstance(kept, instance)) return false
      const isNeeded = untouchedSince !== undefined && (kept.touched > untouchedSince || kept.holders.size > 0)
      return !isNeeded && blobs.delete(keyOf(blob))
    },
    removeScope: async scope => {
      for (const blob of [...blobs.values()]) if (blob.scope === scope.toWellFormed()) blobs.delete(keyOf(blob))
    },
    clear: () => blobs.clear(),
  }
}

function createEntry(
  blob: BlobName,
  { size, offset }: BlobPart,
  { instance, charge }: Pick<BlobEntry, 'instance' | 'charge'>,
): BlobEntry | undefined {
  if (offset !== 0) return undefined
  const empty = { holders: new Map(), parts: [], received: 0, complete: false, touched: 0 }
  return { ...wellFormedBlobName(blob), size, instance, charge, ...empty }
}

const isOf = (charge: BlobCharge | undefined, account: string): charge is BlobCharge =>
  charge?.account.toWellFormed() === account.toWellFormed()

const isInstance = (kept: BlobEntry, instance: string | undefined): boolean =>
  instance === undefined || kept.instance === instance

const continues = (kept: BlobEntry, { size, offset, bytes }: BlobPart): boolean =>
  !kept.complete && kept.size === size && kept.received === offset && offset + bytes.length <= size

const blobFacts = (kept: BlobEntry | undefined): BlobFacts | undefined =>
  kept && { size: kept.size, received: kept.received, complete: kept.complete, instance: kept.instance }

const wellFormedBlobName = ({ scope, name }: BlobName): BlobName => ({
  scope: scope.toWellFormed(),
  name: name.toWellFormed(),
})

function keyOf(blob: BlobName): string {
  const { scope, name } = wellFormedBlobName(blob)
  return JSON.stringify([scope, name])
}

const compareBlobs = (left: BlobName, right: BlobName): number =>
  compareIds(left.scope, right.scope) || compareIds(left.name, right.name)
