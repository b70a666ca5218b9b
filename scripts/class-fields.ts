import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a transform makes of a public field: a method that runs after private fields, which then read `undefined`. */
const REWRITTEN = /\b__init\d*\s*\(\)\s*\{/

/** Throws if a built file of a folder initializes class fields in another order than its sources do. */
export function checkClassFields(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.[cm]?js$/.test(name) || !REWRITTEN.test(readFileSync(join(folder, name), 'utf8'))) continue
    throw new Error(`${name}: expected class fields as they are in the sources, got fields rewritten to methods`)
  }
}
