import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { installPackages } from '../harness/installed-packages.js'
import { inRepository } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

const PORT = '8675'

const folder = temporaryFolder()
let port = ''
let stopServer = async (): Promise<void> => {}

beforeAll(async () => {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  port = String((listening.address() as { port: number }).port)
  listening.close()
})

afterAll(async () => {
  await stopServer()
  folder.remove()
})

/** The code blocks of the page, in order. */
const blocks = [...readFileSync(inRepository('docs/tutorial.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
)

test('the tutorial runs in an empty folder with the packed packages, and prints what it shows', async () => {
  expect(blocks.map(({ language }) => language)).toContain('console')
  for (const { language, text } of blocks) {
    if (language === 'js') write(text)
    else if (language === 'sh') for (const command of text.trim().split('\n')) prepare(command)
    else await follow(text)
  }
}, 300_000)

/** Writes a file, named by the comment in its first line. */
function write(text: string): void {
  const [, name = ''] = /^\/\/ (\S+)\n/.exec(text) ?? []
  expect(name).toMatch(/^[\w.]+\.js$/)
  writeFileSync(join(folder.path, name), text.replaceAll(PORT, port))
}

function prepare(command: string): void {
  if (command.startsWith('npm install')) installPackages(folder.path)
  else sh(command)
}

/** Runs the commands after `$`, and compares their output. */
async function follow(text: string): Promise<void> {
  for (const step of text.split(/^\$ /m).slice(1)) {
    const [command = '', ...lines] = step.split('\n')
    const printed = command.includes('godwit start') ? await serve(command) : sh(command)
    expect(`$ ${command}\n${printed.replaceAll(port, PORT)}`).toMatch(pattern(`$ ${command}\n${lines.join('\n')}`))
  }
}

/** Returns a pattern for shown output; a line `…` matches any lines. */
const pattern = (displayed: string): RegExp =>
  new RegExp(`^${displayed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^…\n/gm, '(?:.*\n)*?')}$`)

const environment = () => ({
  ...process.env,
  NODE_ENV: '',
  NODE_OPTIONS: '',
  PORT: port,
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
})

function sh(command: string): string {
  return execFileSync('sh', ['-c', command], { cwd: folder.path, env: environment(), encoding: 'utf8', stdio: 'pipe' })
}

/** Restarts the server with a command; resolves with its output when it listens. */
async function serve(command: string): Promise<string> {
  await stopServer()
  const direct = command.replace('npx godwit', 'exec node_modules/.bin/godwit')
  const child = spawn('sh', ['-c', `${direct} 2>&1`], { cwd: folder.path, env: environment() })
  const exit = once(child, 'close')
  stopServer = async () => {
    child.kill('SIGTERM')
    await exit
  }
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text
      if (/listening on .*\n/.test(printed)) resolve(printed)
    })
    void exit.then(() => reject(new Error(`${command} ended:\n${printed}`)))
  })
}
