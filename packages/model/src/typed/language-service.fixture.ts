import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const PLACE = '/*here*/'
const folder = fileURLToPath(new URL('.', import.meta.url))
const configuration = fileURLToPath(new URL('../../tsconfig.json', import.meta.url))

/** A file of an app in this folder, as a language service sees it. */
export class AppFile {
  readonly #path = `${folder}app.virtual.ts`
  readonly #texts = new Map<string, string>()
  readonly #service: ts.LanguageService
  #version = 0

  constructor() {
    const options = { ...optionsOf(configuration), noEmit: true, skipLibCheck: true, noUnusedLocals: false }
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [this.#path],
      getScriptVersion: path => (path === this.#path ? String(this.#version) : '0'),
      getScriptSnapshot: path => {
        const text = this.#texts.get(path) ?? ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: path => this.#texts.has(path) || ts.sys.fileExists(path),
      readFile: path => this.#texts.get(path) ?? ts.sys.readFile(path),
    }
    this.#service = ts.createLanguageService(host)
  }

  /** Returns the compiler's errors for a text, each with the token that it underlines. */
  problems(text: string): readonly { readonly at: string; readonly message: string }[] {
    this.#write(text)
    const found = [
      ...this.#service.getSyntacticDiagnostics(this.#path),
      ...this.#service.getSemanticDiagnostics(this.#path),
    ]
    return found.map(({ start = 0, length = 0, messageText }) => ({
      at: text.slice(start, start + length),
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }))
  }

  /** Returns the number of types that were instantiated to check a text and, as far as it uses them, its imports. */
  instantiations(text: string): number {
    const problems = this.problems(text)
    if (problems.length > 0) throw new Error(problems[0]?.message)
    return this.#service.getProgram()?.getInstantiationCount() ?? Number.NaN
  }

  /** Returns the hover text of the name before the marked position: its type and doc comment. */
  hover(text: string): string {
    const at = this.#writeMarked(text)
    const info = this.#service.getQuickInfoAtPosition(this.#path, at - 1)
    return [info?.displayParts, info?.documentation].map(ts.displayPartsToString).join('\n').trim()
  }

  /** Returns the names that an editor suggests at the marked position. */
  completions(text: string): readonly string[] {
    const at = this.#writeMarked(text)
    const offered = this.#service.getCompletionsAtPosition(this.#path, at, undefined)?.entries ?? []
    return offered.map(({ name }) => name)
  }

  #write(text: string): void {
    this.#texts.set(this.#path, text)
    this.#version++
  }

  #writeMarked(text: string): number {
    const at = text.indexOf(PLACE)
    if (at < 0) throw new Error(`expected ${PLACE} in the text`)
    this.#write(text.replace(PLACE, ''))
    return at
  }
}

function optionsOf(path: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as { readonly config: unknown }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileURLToPath(new URL('../..', import.meta.url)))
  const { rootDir: _, ...others } = options
  return { ...others, composite: false, incremental: false }
}
