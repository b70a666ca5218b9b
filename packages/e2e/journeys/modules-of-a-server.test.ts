import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSdk } from '@godwit/model/node'
import { afterEach, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

afterEach(endAll)

/** Prints Node's own modules that the process has loaded, when it ends. */
const PRINT_MODULES = `
process.on('exit', () => process.stderr.write('modules: ' + process.moduleLoadList.join(', ') + '\\n'))`

test('a server that serves a device loads neither undici nor HTTP/2, which take 14 MB', async () => {
  const folder = temporaryFolder()
  const script = join(folder.path, 'print-modules.cjs')
  writeFileSync(script, PRINT_MODULES)
  const environment = { NODE_OPTIONS: `--require=${script}` }
  const server = await startServer({ store: 'memory:', config: 'policies.mjs', environment })
  const sdk = await openSdk({ directory: join(folder.path, 'device'), server: server.url, models: {} })
  await sdk.login('ada', 'ada')
  await sdk.sync()
  await sdk.close()
  await server.kill('SIGTERM')
  const [, modules = ''] = /modules: (.*)/.exec(server.output().error) ?? []
  expect(modules).toContain('NativeModule http')
  expect(modules.split(', ').filter(name => /undici|http2/.test(name))).toEqual([])
  folder.remove()
})
