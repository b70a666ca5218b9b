import type { HostStatus } from '../remote/protocol.js'
import type { BrowserStorage } from './open-storage.js'

/** What pages show of where the device's data is, and how much there is. */
export async function storageStatus({ storage, reserve }: BrowserStorage): Promise<Partial<HostStatus>> {
  if (storage === 'memory') return { storage, durable: false }
  const [{ usage = 0, quota = 0 }, isKept] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  const kept = isKept ? 'persistent' : 'best-effort'
  return { storage: (await reserve.look()) ? 'full' : kept, durable: true, usage, quota }
}
