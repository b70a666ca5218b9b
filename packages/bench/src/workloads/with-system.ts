import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { items } from '../objects.js'
import type { System, SystemKind } from '../systems/system.js'

/** Runs a function with a fresh server in a fresh folder. */
export async function withSystem<T>(
  kind: SystemKind,
  use: (system: System, folder: string) => Promise<T>,
  origin?: string,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-bench-'))
  const system = await kind.start(folder, origin)
  try {
    return await use(system, folder)
  } finally {
    await system.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ingests objects `from` to `to` in batches of 1,000. */
export async function fill(system: System, user: string, from: number, to: number, edition = 0): Promise<void> {
  for (let first = from; first < to; first += 1000)
    await system.ingest(user, items(first, Math.min(1000, to - first), edition))
}
