import type { CollectionId, WriterOrigin } from '@godwit/store'
import type { Engine } from '../engine.js'
import { refuseContent } from '../pass-through/refuse-content.js'
import { collectionOf } from '../sources/partition-of.js'
import { checkLogin } from '../users/check-login.js'

/** Whose objects a backend writes. */
export interface WriteTarget {
  /** The name of the source. */
  readonly source: string
  /** Ignored for app sources. */
  readonly user: string
  /** Who writes, for the change log. */
  readonly origin?: WriterOrigin | undefined
}

export async function writeTargetOf(
  { sources }: Pick<Engine, 'sources'>,
  { source: name, user }: WriteTarget,
): Promise<CollectionId> {
  const source = await sources.learn(name)
  refuseContent(source)
  if (source.partition === 'user') checkLogin(user, '/user_id')
  return collectionOf(source, user)
}
