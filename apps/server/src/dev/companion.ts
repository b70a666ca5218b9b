import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Starts what a server needs beside it, such as its HTTP backend: a module of JavaScript or TypeScript runs in this process, any other command in a
 * process that ends with this one.
 */
export async function startCompanion(command: string, report: (line: string) => void): Promise<void> {
  if (/^\S+\.[cm]?[jt]s$/.test(command)) {
    await import(pathToFileURL(resolve(command)).href)
    return
  }
  const [program = '', ...words] = command.split(/\s+/)
  // Its output goes to standard error, where the log of the server is.
  const child = spawn(program, words, { stdio: ['ignore', 2, 2] })
  const end = (): void => void child.kill()
  process.once('exit', end)
  child.once('error', ({ message }) => report(`${command}: ${message}`))
  child.once('exit', (code, signal) => {
    process.off('exit', end)
    report(`${command} has ended (${code ?? signal})`)
  })
}
