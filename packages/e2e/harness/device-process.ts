import { inRepository, start } from './process.js'

export interface CommandResult<Value> {
  readonly code: number | null
  readonly value: Value
  readonly out: string
  readonly error: string
}

/** A command-line device in a separate folder. */
export interface CommandLineDevice {
  /** Runs one command with `--json`; `value` is its output, undefined if there was none. */
  run<Value = unknown>(...words: readonly string[]): Promise<CommandResult<Value>>
}

export function commandLineDevice(folder: string, server: string): CommandLineDevice {
  return {
    async run<Value>(...words: readonly string[]) {
      const program = start(inRepository('apps/device/dist/cli/godwit-device.js'), [
        '--dir',
        folder,
        '--server',
        server,
        '--json',
        ...words,
      ])
      const { code } = await program.exit
      const { out, error } = program.output()
      return { code, out, error, value: (out === '' ? undefined : JSON.parse(out)) as Value }
    },
  }
}
