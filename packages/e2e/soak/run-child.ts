import { inRepository, start } from '../harness/process.js'

/** Runs a program of this folder with --expose-gc, and returns its output, parsed as JSON. */
export async function runChild<Result>(program: string, words: readonly (string | number)[]): Promise<Result> {
  const child = start(inRepository('packages/e2e/soak/programs/soak.mjs'), [program, ...words.map(String)])
  const { code } = await child.exit
  const { out, error } = child.output()
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${error}`)
  return JSON.parse(out) as Result
}
