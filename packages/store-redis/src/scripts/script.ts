import { createHash } from 'node:crypto'

/** A Lua script that runs as one atomic step, on keys of one hash tag. */
export interface Script<Key extends string> {
  /** The names of the keys in the table `K`. */
  readonly keys: readonly Key[]
  /** How many arguments are named. */
  readonly given: number
  readonly text: string
  readonly sha: string
}

/** The parts of a script. */
export interface ScriptParts<Key extends string> {
  readonly keys: readonly Key[]
  /** Local names of the first arguments, in order; the others begin at `ARGV[REST]`. */
  readonly given?: readonly string[]
  /** Fragments that the body uses, in order of dependency. */
  readonly uses?: readonly string[]
  readonly body: string
}

/** The first argument of every script is the time in milliseconds; if empty, the server's clock applies. */
const CLOCK = `
local call = redis.call
local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`

/**
 * Builds a script whose keys are in the table `K` and whose first arguments are local variables.
 *
 * Redis runs a script without interruption, so everything between its first read and its last write is one step. It must not fail halfway: what a
 * script wrote before an error stays written. A script therefore checks first, returns a refusal as a value, and then writes. Its text is fixed, since
 * Redis finds it by its hash; all data are arguments. Fragments (`uses`) are plain text before the body, so their functions are locals of the script.
 *
 * @example
 * ```ts
 * const addScript = script({
 *   keys: ['counts'],
 *   given: ['name'],
 *   body: `
 * for at = REST, #ARGV do call('HINCRBY', K.counts, name, ARGV[at]) end
 * return call('HGET', K.counts, name)`,
 * })
 * // KEYS: the hash; ARGV: '' (the server's clock), 'pulls', '2', '3'
 * ```
 */
export function script<const Key extends string>({ keys, given = [], uses = [], body }: ScriptParts<Key>): Script<Key> {
  const names = keys.map((key, index) => `${key} = KEYS[${index + 1}]`)
  const locals = given.map((name, index) => `local ${name} = ARGV[${index + 2}]`)
  const head = [`local K = { ${names.join(', ')} }`, ...locals, `local REST = ${given.length + 2}`]
  const text = [CLOCK, ...head, ...uses, body].map(part => part.trim()).join('\n')
  return { keys, given: given.length, text, sha: createHash('sha1').update(text).digest('hex') }
}
