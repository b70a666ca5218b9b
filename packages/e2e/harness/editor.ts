import { type ChildProcess, spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'

/** A diagnostic: its position in the text, and its message. */
export interface EditorProblem {
  readonly at: number
  readonly message: string
}

/** An editor with one open file. */
export interface Editor {
  /** Returns the suggestions at an offset of a text. */
  completions(text: string, offset: number): Promise<readonly string[]>
  problems(text: string): Promise<readonly EditorProblem[]>
  close(): void
}

interface Message {
  readonly id?: number
  readonly request_seq?: number
  readonly method?: string
  readonly result?: unknown
  readonly body?: unknown
}

/** A language server whose messages are prefixed with their length. */
class Server {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (message: Message) => void>()
  #bytes: Buffer = Buffer.alloc(0)
  #count = 0

  constructor(words: readonly string[], folder: string) {
    this.#child = spawn(process.execPath, words, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes])
      while (this.#takeOne());
    })
  }

  /** Sends the request that `spell` builds for a sequence number, and returns the response. */
  ask(spell: (number: number) => string): Promise<Message> {
    const number = ++this.#count
    return new Promise(resolve => {
      this.#waiting.set(number, resolve)
      this.write(spell(number))
    })
  }

  write(text: string): void {
    this.#child.stdin?.write(text)
  }

  close(): void {
    this.#child.kill()
  }

  #takeOne(): boolean {
    const end = this.#bytes.indexOf('\r\n\r\n')
    const length =
      end < 0 ? Number.NaN : Number(/Content-Length: (\d+)/.exec(this.#bytes.toString('utf8', 0, end))?.[1])
    const from = end + 4
    if (!(this.#bytes.length >= from + length)) return false
    const message = JSON.parse(this.#bytes.toString('utf8', from, from + length)) as Message
    this.#bytes = this.#bytes.subarray(from + length)
    const isRequest = message.method !== undefined && message.id !== undefined
    if (isRequest) this.write(frameMessage({ id: message.id, result: null }))
    const number = message.request_seq ?? (isRequest ? undefined : message.id)
    if (number !== undefined) this.#waiting.get(number)?.(message)
    return true
  }
}

function frameMessage(message: object): string {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message })
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** Starts `tsserver`, with the protocol that VS Code uses. */
export function tsserverEditor(program: string, folder: string, file: string): Editor {
  const server = new Server([program, '--disableAutomaticTypingAcquisition'], folder)
  const ask = async (command: string, given: object): Promise<unknown> =>
    (await server.ask(seq => `${JSON.stringify({ seq, type: 'request', command, arguments: given })}\n`)).body
  const open = (text: string) =>
    ask('updateOpen', { openFiles: [{ file, fileContent: text, projectRootPath: folder }] })
  return {
    async completions(text, offset) {
      await open(text)
      const { line, character } = placeOf(text, offset)
      const place = { file, line: line + 1, offset: character + 1 }
      const body = (await ask('completionInfo', place)) as { readonly entries?: readonly { readonly name: string }[] }
      return (body?.entries ?? []).map(({ name }) => name)
    },
    async problems(text) {
      await open(text)
      const found = (await ask('semanticDiagnosticsSync', { file })) as readonly {
        readonly start: { readonly line: number; readonly offset: number }
        readonly text: string
      }[]
      return found.map(({ start, text: message }) => ({
        at: offsetOf(text, { line: start.line - 1, character: start.offset - 1 }),
        message,
      }))
    },
    close: () => server.close(),
  }
}

/** The severity of errors in the Language Server Protocol; others are warnings and hints. */
const ERROR = 1

/** Starts a server of the Language Server Protocol, as editors do. */
export async function lspEditor(words: readonly string[], folder: string, file: string): Promise<Editor> {
  const server = new Server(words, folder)
  const ask = async (method: string, params: object): Promise<unknown> =>
    (await server.ask(id => frameMessage({ id, method, params }))).result
  const report = (method: string, params: object) => server.write(frameMessage({ method, params }))
  const uri = pathToFileURL(file).href
  let version = 0
  const open = (text: string) => {
    if (++version === 1)
      report('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version, text } })
    else report('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] })
  }
  const rootUri = pathToFileURL(folder).href
  const capabilities = { textDocument: { completion: {}, diagnostic: {} } }
  await ask('initialize', { processId: process.pid, rootUri, capabilities })
  report('initialized', {})
  return {
    async completions(text, offset) {
      open(text)
      const requested = { textDocument: { uri }, position: placeOf(text, offset) }
      const result = (await ask('textDocument/completion', requested)) as {
        readonly items?: readonly { readonly label: string }[]
      } | null
      return (result?.items ?? []).map(({ label }) => label.replace(/\?$/, ''))
    },
    async problems(text) {
      open(text)
      const { items } = (await ask('textDocument/diagnostic', { textDocument: { uri } })) as {
        readonly items: readonly {
          readonly range: { readonly start: EditorPosition }
          readonly severity: number
          readonly message: string
        }[]
      }
      const errors = items.filter(({ severity }) => severity === ERROR)
      return errors.map(({ range, message }) => ({ at: offsetOf(text, range.start), message }))
    },
    close: () => server.close(),
  }
}

/** A position in a text; line and column are zero-based. */
interface EditorPosition {
  readonly line: number
  readonly character: number
}

function placeOf(text: string, offset: number): EditorPosition {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}

const offsetOf = (text: string, { line, character }: EditorPosition): number =>
  text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character
