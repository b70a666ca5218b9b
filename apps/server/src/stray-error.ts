import { fileURLToPath } from 'node:url'

/** An error that reached the process instead of a call. */
export interface StrayError {
  /** What its author has to look at: a file outside `node_modules`, else the package, preferably one that the app depends on. */
  readonly module: string
  readonly message: string
  readonly advice: string
  /** True if code of Godwit or of a store was interrupted, so that what it holds in memory may be wrong. */
  readonly isOwn: boolean
}

/** As Node passes them to listeners of `uncaughtException`. */
export type ErrorOrigin = 'uncaughtException' | 'unhandledRejection'

/** The packages of an app: those that it depends on itself. */
export type Dependencies = ReadonlySet<string>

/**
 * Describes an error by its stack. It is Godwit's own if one of the frames that it interrupted is: all frames of an exception, which without a stack
 * is taken for such a one, and of a rejection only the function that it came from.
 */
export function describeStrayError(error: unknown, origin: ErrorOrigin, dependencies: Dependencies): StrayError {
  const stack = stackOf(error)
  const files = filesIn(stack).filter(file => !file.startsWith('node:'))
  const isRejection = origin === 'unhandledRejection'
  const emitter = /^Emitted 'error' event on (\S+) instance/m.exec(stack)?.[1]
  return {
    module: moduleOf(files, dependencies),
    message: messageOf(error),
    advice: adviceFor(emitter, isRejection),
    isOwn: isRejection ? files.slice(0, 1).some(isOwnFile) : !stack.includes('\n    at ') || files.some(isOwnFile),
  }
}

function adviceFor(emitter: string | undefined, isRejection: boolean): string {
  if (emitter !== undefined) return `Handle the errors of ${emitter}: .on('error', error => …)`
  return isRejection
    ? 'Await the promise, or add .catch(error => …) to it'
    : 'Catch the errors of timers, callbacks and listeners'
}

const messageOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}

/** Node adds who emitted an event without listeners only when it prints the error, by a method that it leaves on it. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const symbol = Object.getOwnPropertySymbols(error).find(({ description }) => description === ENHANCED)
  const enhance = symbol === undefined ? undefined : Reflect.get(error, symbol)
  const stack: unknown = typeof enhance === 'function' ? enhance() : error.stack
  return typeof stack === 'string' ? stack : ''
}

const ENHANCED = 'kEnhanceStackBeforeInspector'

/** As `at name (file:///app/orders.js:17:3)` or `at async file:///app/orders.js:17:3`. */
const FRAME = /^ {4}at (?:.*\()?(.+?):\d+:\d+\)?$/gm

const filesIn = (stack: string): readonly string[] =>
  [...stack.matchAll(FRAME)].map(([, file = '']) => plainPath(file.startsWith('file:') ? fileURLToPath(file) : file))

function moduleOf(files: readonly string[], dependencies: Dependencies): string {
  const [file] = files.filter(one => !one.includes(MODULES) && !isOwnFile(one))
  if (file !== undefined) return file
  const packages = files.flatMap(packageOf)
  return packages.find(name => dependencies.has(name)) ?? packages[0] ?? 'unknown'
}

const MODULES = '/node_modules/'

const packageOf = (file: string): readonly string[] => {
  const at = file.lastIndexOf(MODULES)
  const [first = '', second = ''] = file.slice(at + MODULES.length).split('/')
  return at === -1 ? [] : [first.startsWith('@') ? `${first}/${second}` : first]
}

/** Godwit's packages, and what the stores are made of. */
const OWN = /^(@godwit\/.*|godwit|@redis\/.*|redis|ioredis|bullmq|better-sqlite3)$/
/** The files of this command; in this repository no package is below `node_modules`. */
const COMMAND = plainPath(fileURLToPath(new URL('.', import.meta.url)))
const [, WORKSPACE] = /^(.*\/)apps\/server\/(?:dist|src)\/$/.exec(COMMAND) ?? []
const isInWorkspace = (file: string): boolean =>
  WORKSPACE !== undefined &&
  file.startsWith(WORKSPACE) &&
  /^(packages|apps)\/[^/]+\/(dist|src)\//.test(file.slice(WORKSPACE.length))

const isOwnFile = (file: string): boolean =>
  file.startsWith(COMMAND) || isInWorkspace(file) || packageOf(file).some(name => OWN.test(name))

function plainPath(path: string): string {
  return path.replaceAll('\\', '/')
}
