import type { Definition } from './definition.js'

/** Returns a short hash of definitions, including the app's names. Threads with equal fingerprints can exchange rows. */
export function fingerprint(definitions: readonly Definition[]): string {
  const sorted = [...definitions].sort((one, other) => (one.name < other.name ? -1 : 1))
  const text = JSON.stringify(sorted, (_, value: unknown) => (value instanceof Map ? [...value] : value))
  return hash(text, 0x811c9dc5) + hash(text, 0x9747b28c)
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(text: string, seed: number): string {
  let sum = seed
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return (sum >>> 0).toString(36)
}

/** Returns the default release number: the sum of the models' schema versions. */
export const defaultRelease = (definitions: readonly Definition[]): number =>
  definitions.reduce((sum, { schemaVersion }) => sum + schemaVersion, 0)
