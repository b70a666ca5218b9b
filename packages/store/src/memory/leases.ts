import type { Leases } from '../leases.js'
import type { MemoryState } from './memory-state.js'

export function memoryLeases({ leases }: MemoryState): Leases {
  return {
    acquire: async (name, { holder, milliseconds }) => leases.grant(name, holder, milliseconds),
    renew: async (lease, milliseconds) => leases.prolong(lease, milliseconds),
    release: async lease => leases.end(lease),
  }
}
