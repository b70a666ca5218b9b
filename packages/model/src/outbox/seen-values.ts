import {
  type Attributes,
  canonicalJson,
  type Digests,
  emptyRecord,
  MAX_WAS_VALUE,
  type Mutation,
} from '@godwit/protocol'
import { Sha256 } from '../platform/sha256.js'

/**
 * Returns the values before a change as a mutation carries them: large ones as digests. Attributes that name owners are always carried whole, since
 * the server replaces temporary ids in them.
 */
export function seenValues(
  was: Attributes,
  owners: ReadonlyMap<string, unknown>,
): Pick<Mutation, 'was' | 'was_digests'> {
  const values = emptyRecord<Attributes[string]>()
  const digests = emptyRecord<string>()
  for (const [name, value] of Object.entries(was)) {
    const text = canonicalJson(value)
    if (text.length <= MAX_WAS_VALUE || owners.has(name)) values[name] = value
    else digests[name] = digestOf(text)
  }
  return { was: values, ...(Object.keys(digests).length > 0 && { was_digests: digests satisfies Digests }) }
}

function digestOf(text: string): string {
  const hash = new Sha256()
  hash.update(new TextEncoder().encode(text))
  return hash.digest()
}
