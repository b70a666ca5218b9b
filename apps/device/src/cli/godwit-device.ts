#!/usr/bin/env node
import { unsupportedNode } from '@godwit/terminal/require-node'

const problem = unsupportedNode('godwit-device', process.versions.node)
if (problem === undefined) {
  const { main } = await import('./main.js')
  const { terminal } = await import('./terminal.js')
  process.exitCode = await main(process.argv.slice(2), terminal(process))
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
