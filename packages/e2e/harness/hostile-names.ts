/** Names that do harm if they are interpreted. Each must be treated as plain text wherever a name is allowed. */
export const HOSTILE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  ':',
  '*',
  '.',
  '..',
  '/',
  '../../etc/passwd',
  '%2F',
  '%',
  '?',
  '#',
  '\\',
  '"',
  "'; DROP TABLE object; --",
  '{tag}',
  ' ',
  'a\nb',
  '\r\n\r\n',
  '\0',
  'a\0b',
  '0',
  '😀',
  '\u202e',
  'x'.repeat(1024),
  '😀'.repeat(256),
]

/** No name at all, or more of it than the 1,024 bytes that there may be. */
export const TOO_SHORT_OR_LONG: readonly string[] = ['', 'x'.repeat(1025), `${'😀'.repeat(256)}x`]

/** Half a character, which no UTF-8 holds: refused wherever it enters. */
export const LONE_SURROGATE = 'half \ud800'

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]
const members = () => prototypes.map(prototype => Reflect.ownKeys(prototype).map(String))

/** What everything inherits from, to be compared before and after. */
export const prototypeMembers = (): string => JSON.stringify(members())

/** A map in which `__proto__` is an own property, which a literal cannot express. */
export const mapOf = <Value>(names: readonly string[], value: (name: string) => Value): { [name: string]: Value } =>
  Object.fromEntries(names.map(name => [name, value(name)]))
