#!/usr/bin/env node
import { unsupportedNode } from '@godwit/terminal/require-node'

const problem = unsupportedNode('godwit', process.versions.node)
if (problem === undefined) {
  const { endWithNpx } = await import('./npx.js')
  endWithNpx(process)
  const { main } = await import('./main.js')
  const code = await main(process.argv.slice(2), process)
  if (code !== undefined) process.exitCode = code
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
