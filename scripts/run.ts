import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './workspace.ts'

export interface RunOptions {
  readonly folder?: string
  readonly environment?: Record<string, string>
  /** Timeout in seconds, after which the command fails and its processes are killed. Default: none. */
  readonly seconds?: number
}

export interface CommandResult {
  readonly code: number
  /** Interleaved output of stdout and stderr. */
  readonly output: string
}

/** Runs a command with the workspace's programs first on the PATH, and captures its output. */
export function run(
  command: string,
  parameters: readonly string[],
  { folder = root, environment = {}, seconds }: RunOptions = {},
) {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise<CommandResult>((resolve, reject) => {
    const env = { ...process.env, PATH: path, ...environment }
    // A separate process group can be killed as a whole.
    const child = spawn(command, parameters, { cwd: folder, env, detached: seconds !== undefined })
    let output = ''
    const limit = seconds === undefined ? undefined : setTimeout(endGroup, seconds * 1000)
    function endGroup(): void {
      output += `\n${command} took longer than ${seconds} s and was ended`
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(limit)
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Runs a command and returns its output; throws with the output if the command fails. */
export async function mustRun(
  command: string,
  parameters: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, output } = await run(command, parameters, options)
  if (code !== 0) throw new Error(`${[command, ...parameters].join(' ')} ended with ${code}\n${output}`)
  return output
}
