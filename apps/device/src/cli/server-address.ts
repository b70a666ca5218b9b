import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEFAULT_SERVER = 'http://127.0.0.1:8675'

/** The server of this device: the one given, which is remembered, or the one remembered. */
export function keepServer(directory: string, given: string | undefined): string {
  const file = join(directory, 'server.txt')
  if (given !== undefined) {
    writeFileSync(file, `${given}\n`, { mode: 0o600 })
    return given
  }
  try {
    return readFileSync(file, 'utf8').trim() || DEFAULT_SERVER
  } catch {
    return DEFAULT_SERVER
  }
}
