import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { installPackages } from './installed-packages.js'
import { temporaryFolder } from './stores.js'
import { ScreenTerminal } from './terminal.js'

/** The admin's password. */
export const PASSWORD = 'four words of a newcomer'
export const GODWIT = 'node_modules/.bin/godwit'

/** Creates a folder with these files and the installed packages; its processes end after the tests of the file. */
export function newcomerFolder(files: { readonly [name: string]: string }) {
  const folder = temporaryFolder()
  const terminals: ScreenTerminal[] = []
  const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text)
  beforeAll(() => {
    write('package.json', '{ "private": true, "type": "module" }\n')
    for (const [name, text] of Object.entries(files)) write(name, text)
    installPackages(folder.path)
  }, 600_000)
  afterAll(async () => {
    await Promise.all(terminals.map(terminal => terminal.end()))
    folder.remove()
  }, 60_000)

  return {
    path: folder.path,
    write,
    /** The environment of its programs, without this repository. */
    environment: (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
      ...process.env,
      NODE_ENV: '',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      XDG_CONFIG_HOME: folder.path,
      ...more,
    }),
    begin(command: string, words: readonly string[], env: NodeJS.ProcessEnv): ScreenTerminal {
      const terminal = new ScreenTerminal(command, words, { cwd: folder.path, env })
      terminals.push(terminal)
      return terminal
    },
  }
}
