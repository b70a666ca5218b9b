import { randomBytes } from 'node:crypto'
import { openMemoryStore, type StoreOptions } from '@godwit/store'
import type { Conformance } from '@godwit/store/conformance'
import { connectRedisStore } from './connect-redis-store.js'

/** The store to compare the same history with. */
export const reference: Conformance['open'] = options => ({ store: openMemoryStore(options) })

/** A store under a separate prefix in a Redis that all tests share; `discard` deletes its keys. */
export async function openIn(url: string, options: StoreOptions) {
  const prefix = `test ${randomBytes(6).toString('hex')}:`
  const reopen = () => connectRedisStore(url, { ...options, prefix })
  const discard = async () => {
    const store = await reopen()
    await store.clear()
    await store.close()
  }
  return { store: await reopen(), reopen, discard }
}
