import { createContext, runInContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'

/** Returns the code of an entry point as one script that assigns its exports to a global. */
async function scriptOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from './packages/model/src/${entry}.ts'`, resolveDir: process.cwd() },
    bundle: true,
    platform: 'browser',
    conditions: ['source'],
    format: 'iife',
    globalName: 'exported',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

test.each(['index', 'driver'])(
  '%s loads where the engine has the language alone: no TextDecoder, AbortSignal, fetch or crypto',
  async entry => {
    const context = createContext({})
    runInContext(await scriptOf(entry), context)
    expect(runInContext('Object.keys(exported).length', context)).toBeGreaterThan(3)
  },
)
