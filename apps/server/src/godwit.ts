#!/usr/bin/env node
import { unsupportedNode } from './require-node.js'

const problem = unsupportedNode(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
