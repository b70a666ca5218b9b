import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'

test('a browser bundle of @godwit/model/node says what to import instead, and contains no Node code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-bundle-'))
  try {
    const outfile = join(folder, 'app.mjs')
    await build({
      stdin: { contents: `export { openSdk } from '@godwit/model/node'`, resolveDir: process.cwd() },
      absWorkingDir: process.cwd(),
      nodePaths: [join(process.cwd(), 'packages/bench/node_modules')],
      bundle: true,
      platform: 'browser',
      conditions: ['source'],
      format: 'esm',
      outfile,
      logLevel: 'silent',
    })
    expect(readFileSync(outfile, 'utf8')).not.toMatch(/node:|better-sqlite3/)
    const { openSdk } = (await import(pathToFileURL(outfile).href)) as { openSdk: () => Promise<unknown> }
    await expect(openSdk()).rejects.toMatchObject({
      code: 'value_not_allowed',
      message: expect.stringMatching(
        /^@godwit\/model\/node runs in Node[^.]*\. Open the device with openSdkOn from @godwit\/model\/driver[^.]*\.$/,
      ),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
