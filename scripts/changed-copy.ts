import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyWorkspace, root } from './workspace.ts'

/** File → texts to insert, each before a text that occurs exactly once in the file. */
export type Edits = Readonly<Record<string, readonly (readonly [before: string, text: string])[]>>

/** A copy of the workspace, for testing which files an addition has to change. */
export class ChangedCopy {
  readonly #folder = copyWorkspace([
    'package.json',
    'biome.json',
    'tsconfig.base.json',
    'jest.config.js',
    'tsup.config.ts',
    '.gitignore',
    'docs/errors.md',
    'scripts',
    'site',
  ])

  /** Commits the copy, then applies the edits and creates the `added` files. */
  change(edits: Edits, added: Readonly<Record<string, string>>): void {
    this.#git('init', '--quiet')
    this.#git('add', '--all')
    this.#git('commit', '--quiet', '--message', 'before')
    for (const [file, texts] of Object.entries(edits)) this.#edit(file, texts)
    for (const [file, content] of Object.entries(added)) writeFileSync(join(this.#folder, file), content)
  }

  /** Runs a command in the copy and returns its stdout; throws with its output if it fails. */
  run(command: string, ...words: readonly string[]): string {
    const { NODE_OPTIONS: _, ...environment } = process.env
    const { status, stdout, stderr } = spawnSync(command, words, {
      cwd: this.#folder,
      encoding: 'utf8',
      env: environment,
    })
    if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`)
    return stdout
  }

  /** Checks the types of packages and of their dependencies. */
  checkTypes(...packages: readonly string[]): void {
    this.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--build', ...packages)
  }

  test(...files: readonly string[]): void {
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--maxWorkers=1']
    this.run(process.execPath, ...jest, ...files, '--testMatch', '**/*.test.ts')
  }

  /** Returns the paths of changed and added files. */
  touched(): readonly string[] {
    const lines = this.#git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n')
    return lines.map(line => line.slice(3))
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #git(...words: readonly string[]): string {
    return this.run('git', '-c', 'user.name=t', '-c', 'user.email=t@t.test', ...words)
  }

  #edit(file: string, texts: Edits[string]): void {
    const path = join(this.#folder, file)
    let content = readFileSync(path, 'utf8')
    for (const [before, text] of texts ?? []) {
      if (content.split(before).length !== 2) throw new Error(`expected ${JSON.stringify(before)} once in ${file}`)
      content = content.replace(before, () => text + before)
    }
    writeFileSync(path, content)
  }
}
