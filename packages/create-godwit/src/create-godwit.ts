#!/usr/bin/env node
import { unsupportedNode } from '@godwit/terminal/require-node'

const problem = unsupportedNode('create-godwit', process.versions.node)
if (problem === undefined) {
  const { main } = await import('./main.js')
  process.exitCode = await main(process.argv.slice(2), process)
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
