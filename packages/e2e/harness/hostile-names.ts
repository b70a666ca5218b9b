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

/** An empty name, and names longer than the limit of 1,024 bytes. */
export const TOO_SHORT_OR_LONG: readonly string[] = ['', 'x'.repeat(1025), `${'😀'.repeat(256)}x`]

/** A lone surrogate, which UTF-8 cannot encode; every route refuses it. */
export const LONE_SURROGATE = 'half \ud800'

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]
const members = () => prototypes.map(prototype => Reflect.ownKeys(prototype).map(String))

/** Returns the members of the built-in prototypes as text, to detect prototype pollution. */
export const prototypeMembers = (): string => JSON.stringify(members())

/** A map in which `__proto__` is an own property, which a literal cannot express. */
export const mapOf = <Value>(names: readonly string[], value: (name: string) => Value): { [name: string]: Value } =>
  Object.fromEntries(names.map(name => [name, value(name)]))
