import { createHash } from 'node:crypto'
import { messageOf, type Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { documentScope } from '../../base/document-scopes.js'
import type { BackendEngine } from '../backend-engine.js'
import { type CallEngine, callSource } from './call-source.js'
import { isReadable } from './reads.js'

/** The metadata and schema that a source returns for the devices of a collection, as JSON texts. */
export interface SourceDescription {
  readonly metadata?: string
  readonly schema?: string
  /** A digest of both texts, so that a device gets each description once; '': there is none. */
  readonly digest: string
}

const NAMES = ['metadata', 'schema'] as const
const NO_DESCRIPTION: SourceDescription = { digest: '' }

type DescriptionEngine = CallEngine & Pick<BackendEngine, 'described'>

/** Returns the stored description. It is read from the source with each query, or at the start of a pass for a source without a query. */
export async function sourceDescriptionOf(
  engine: DescriptionEngine,
  source: Source,
  { collection, user, begins }: { readonly collection: CollectionId; readonly user: string; readonly begins: boolean },
): Promise<SourceDescription> {
  const names = describedNames(source)
  if (names.length === 0) return NO_DESCRIPTION
  const isNew = engine.described.get(documentScope(collection)) === undefined
  if (begins && (isNew || !isReadable(source))) await refreshDescription(engine, source, collection, user)
  const texts: { metadata?: string; schema?: string } = {}
  for (const name of names) {
    const text = await engine.store.documents.get(documentScope(collection), name)
    if (typeof text === 'string') texts[name] = text
  }
  const json = JSON.stringify(texts)
  return { ...texts, digest: json === '{}' ? '' : createHash('sha256').update(json).digest('base64url').slice(0, 12) }
}

/** Reads the description from the source and stores it. After a failure the stored one is kept. */
export async function refreshDescription(
  engine: DescriptionEngine,
  source: Source,
  collection: CollectionId,
  user: string,
): Promise<void> {
  const { store, log } = engine
  const scope = documentScope(collection)
  for (const name of describedNames(source)) {
    try {
      const call = { source, user, partition: collection.partition, timeout: source.timeout }
      const said = await callSource(engine, call, context => source.methods[name]?.(context)).beforeTimeout
      const text = descriptionText(name, said)
      if (text !== (await store.documents.get(scope, name))) await store.documents.set(scope, name, text)
    } catch (error) {
      log.warn({ source: source.name, error: messageOf(error) }, `could not read the ${name} of a source`)
    }
  }
  engine.described.set(scope, true)
}

/** Returns the value as JSON text. Throws if it is not an object. */
export function descriptionText(name: 'metadata' | 'schema', said: unknown): string {
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) return JSON.stringify(said)
  throw new TypeError(`${name} gave no object`)
}

const describedNames = ({ methods }: Source): readonly (typeof NAMES)[number][] =>
  NAMES.filter(name => methods[name] !== undefined)
