import type { Definition } from './definition.js'

/** Returns a short text that differs if definitions differ, including the app's names: two threads with equal ones understand each other's rows. */
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

/** The default release number: it rises with the models' versions. */
export const defaultRelease = (definitions: readonly Definition[]): number =>
  definitions.reduce((sum, { schemaVersion }) => sum + schemaVersion, 0)
