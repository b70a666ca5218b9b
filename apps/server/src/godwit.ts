#!/usr/bin/env node
import { unsupportedNode } from './require-node.js'

const problem = unsupportedNode(process.versions.node)
if (problem === undefined) {
  const { main } = await import('./main.js')
  const code = await main(process.argv.slice(2), process)
  if (code !== undefined) process.exitCode = code
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
