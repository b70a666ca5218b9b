/**
 * Checks the installed Node against the hash of its platform, since no lockfile contains the program that the npm package
 * `node` downloads at installation. Prints a warning for a platform without a known hash.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.ts'

/** SHA-256 of the program in `node-<platform>-<arch>`, by `process.platform` and `process.arch`. */
const NODE_HASHES: { readonly [platform: string]: string } = {
  'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  'win32-x64': 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
}

/** Returns an error message if the hash differs from the known one or none is known; otherwise undefined. */
export function flawOfNode(platform: string, hash: string, known = NODE_HASHES): string | undefined {
  const expected = known[platform]
  if (expected === hash) return undefined
  if (expected === undefined) return `expected a hash of Node for ${platform} in scripts/node-hash.ts, got none`
  return `expected the Node of ${platform} to have the SHA-256 ${expected}, got ${hash}. After a new version, write the hashes of its packages into scripts/node-hash.ts; else do not run it`
}

if (import.meta.main) {
  const platform = `${process.platform}-${process.arch}`
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const bytes = readFileSync(join(root, 'node_modules/node/bin', program))
  const flaw = flawOfNode(platform, createHash('sha256').update(bytes).digest('hex'))
  if (flaw !== undefined) process.stderr.write(`${flaw}\n`)
  if (flaw !== undefined && platform in NODE_HASHES) process.exitCode = 1
}
