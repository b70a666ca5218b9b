import { createHash } from 'node:crypto'
import type { CollectionId } from '@godwit/store'
import { documentScope } from '../documents/document-scopes.js'
import type { Engine } from '../engine.js'
import { type CallEngine, callSource } from './call-source.js'
import { messageOf } from './refusal.js'
import type { Source } from './source.js'

/** What a source says about itself to the devices of a collection, as JSON texts. */
export interface SourceDescription {
  readonly metadata?: string
  readonly schema?: string
  /** The same for the same texts: devices that were told it are not told again. '': nothing is said. */
  readonly digest: string
}

const NAMES = ['metadata', 'schema'] as const
const NO_DESCRIPTION: SourceDescription = { digest: '' }

type DescriptionEngine = CallEngine & Pick<Engine, 'described'>

/** As it is kept. The source is asked with each query; where it has none, when a pass begins. */
export async function aboutOf(
  engine: DescriptionEngine,
  source: Source,
  { collection, user, begins }: { readonly collection: CollectionId; readonly user: string; readonly begins: boolean },
): Promise<SourceDescription> {
  const names = describedBy(source)
  if (names.length === 0) return NO_DESCRIPTION
  const isNew = !engine.described.get(documentScope(collection)) === undefined
  if (begins && (isNew || source.methods.query === undefined)) await askAbout(engine, source, collection, user)
  const about: { metadata?: string; schema?: string } = {}
  for (const name of names) {
    const text = await engine.store.documents.get(documentScope(collection), name)
    if (typeof text === 'string') about[name] = text
  }
  const texts = JSON.stringify(about)
  return { ...about, digest: texts === '{}' ? '' : createHash('sha256').update(texts).digest('base64url').slice(0, 12) }
}

/** Asks the source and keeps what it says. A failure keeps what was said before. */
export async function askAbout(
  engine: DescriptionEngine,
  source: Source,
  collection: CollectionId,
  user: string,
): Promise<void> {
  const { store, log } = engine
  const scope = documentScope(collection)
  for (const name of describedBy(source)) {
    try {
      const call = { source, user, partition: collection.partition, timeout: source.timeout }
      const said = await callSource(engine, call, context => source.methods[name]?.(context)).inTime
      const text = descriptionText(name, said)
      if (text !== (await store.documents.get(scope, name))) await store.documents.set(scope, name, text)
    } catch (error) {
      log.warn({ source: source.name, error: messageOf(error) }, `the ${name} of a source could not be read`)
    }
  }
  engine.described.set(scope, true)
}

/** What a source says, as JSON text. Throws when it is no object. */
export function descriptionText(name: 'metadata' | 'schema', said: unknown): string {
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) return JSON.stringify(said)
  throw new TypeError(`${name} gave no object`)
}

const describedBy = ({ methods }: Source): readonly (typeof NAMES)[number][] =>
  NAMES.filter(name => methods[name] !== undefined)
