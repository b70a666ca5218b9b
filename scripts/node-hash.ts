/** Checks the installed Node against the hash of its platform. Prints a warning for a platform without a known hash. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flawOfNode, NODE_HASHES } from './node-hashes.ts'
import { root } from './workspace.ts'

const platform = `${process.platform}-${process.arch}`
const program = process.platform === 'win32' ? 'node.exe' : 'node'
const bytes = readFileSync(join(root, 'node_modules/node/bin', program))
const flaw = flawOfNode(platform, createHash('sha256').update(bytes).digest('hex'))
if (flaw !== undefined) process.stderr.write(`${flaw}\n`)
if (flaw !== undefined && platform in NODE_HASHES) process.exitCode = 1
