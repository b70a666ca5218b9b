import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSdk } from '@godwit/model/node'
import { afterEach, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

afterEach(endAll)

/** Prints Node's own modules and the packages that the process has loaded, when it ends. */
const PRINT_MODULES = `
const files = new Set()
require('node:module').registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    files.add(found.url)
    return found
  },
})
process.on('exit', () => process.stderr.write('files: ' + [...files].join(', ') + '\\n'))
process.on('exit', () => process.stderr.write('modules: ' + process.moduleLoadList.join(', ') + '\\n'))`

test('a server that serves a device loads no undici, HTTP/2, jose or web-push, which take 14 MB and more', async () => {
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
  const [, files = ''] = /files: (.*)/.exec(server.output().error) ?? []
  expect(files).toContain('apps/server/dist')
  expect(files.split(', ').filter(name => /node_modules\/(jose|web-push)\//.test(name))).toEqual([])
  folder.remove()
})
