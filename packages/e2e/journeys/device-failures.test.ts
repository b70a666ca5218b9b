import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { commandLineDevice } from '../harness/device-process.js'
import { lossyNetwork } from '../harness/lossy-network.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const program = inRepository('apps/device/dist/cli/godwit-device.js')
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await endAll()
  folder.remove()
})

test('a sync names a source that failed, and ends with 1', async () => {
  const { url } = await startServer({ store: 'memory:', config: 'failing-visits.mjs' })
  const device = commandLineDevice(join(folder.path, 'device'), url)
  expect(await device.run('login', 'ada', 'ada')).toMatchObject({ code: 0 })
  const { code, value } = await device.run<{ sources: readonly { source: string; error?: object }[] }>('sync')
  const failed = value.sources.filter(({ error }) => error !== undefined)
  expect([code, failed]).toEqual([1, [expect.objectContaining({ source: 'Visit', received: 0 })]])
  const reported = start(program, ['--dir', join(folder.path, 'device'), 'sync'])
  expect(await reported.exit).toMatchObject({ code: 1 })
  expect(reported.output().out).toMatch(/^City: 0 received, 0 sent\nVisit: 0 received, 0 sent: .*\S.*\n$/)
})

test('a sync is one run, and listens to nothing', async () => {
  const network = await lossyNetwork((await startServer({ store: 'memory:', config: 'failing-visits.mjs' })).url)
  try {
    const device = commandLineDevice(folder.path, network.url)
    for (const words of [['login', 'ada', 'ada'], ['sync']]) await device.run(...words)
    const paths: string[] = []
    network.lose((_, path) => paths.push(path.replace(/\?.*/, '')) < 0)
    await device.run('sync')
    expect(paths).toEqual(['/app/v1/City', '/app/v1/Visit'])
  } finally {
    await network.close()
  }
})

test.each([
  ['a file', 'file'],
  ['a name that is empty', ''],
  ['a name in a file', 'file/device'],
])('%s as its directory is reported in one line', async (_, name) => {
  writeFileSync(join(folder.path, 'file'), '')
  const reported = start(program, ['--dir', name && join(folder.path, name), 'status'])
  expect(await reported.exit).toMatchObject({ code: 2 })
  expect(reported.output()).toEqual({ out: '', error: expect.stringMatching(/^--dir takes a directory .*\n$/) })
})

test('a reader that stops after the first lines sees no error', () => {
  const script = `set -o pipefail; "${process.execPath}" "${program}" --dir "${folder.path}" --json status | true`
  const { status, stderr } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  expect([status, stderr]).toEqual([0, ''])
})
