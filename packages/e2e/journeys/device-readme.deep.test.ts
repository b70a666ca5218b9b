import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type LossyNetwork, lossyNetwork } from '../harness/lossy-network.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

interface Step {
  readonly command: string
  readonly output: string
}

/** Returns the commands of all console blocks, with their output. */
function transcript(): readonly Step[] {
  const readme = readFileSync(inRepository('apps/device/README.md'), 'utf8')
  return [...readme.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(step => {
        const [command = '', ...lines] = step.split('\n')
        return { command, output: lines.join('\n') }
      }),
  )
}

/** Returns a pattern for the output: `…` matches any text within a line, and columns may be wider than in the README. */
const pattern = (output: string): RegExp => {
  const escaped = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('…', '.+?').replace(/ {2,}/g, ' {2,}')}$`)
}

const folder = temporaryFolder()
let network: LossyNetwork

beforeAll(async () => {
  const server = await startServer({ store: 'memory:' })
  network = await lossyNetwork(server.url)
})

afterAll(async () => {
  await network.close()
  await endAll()
  folder.remove()
})

test('the transcript in the README of the device is what happens', async () => {
  const steps = transcript()
  expect(steps.length).toBeGreaterThan(15)
  for (const { command, output } of steps) {
    if (command.startsWith('#')) network.cut(command.includes('gone'))
    else expect(`$ ${command}\n${await run(command)}`).toMatch(new RegExp(pattern(output).source.replace('^', '\n')))
  }
}, 300_000)

async function run(command: string): Promise<string> {
  const [name, option, directory = '', ...words] = command.split(' ')
  expect([name, option]).toEqual(['godwit-device', '--dir'])
  const place = ['--dir', join(folder.path, directory), '--server', network.url]
  const program = start(inRepository('apps/device/dist/cli/godwit-device.js'), [...place, ...words])
  await program.exit
  const { out, error } = program.output()
  return out + error
}
