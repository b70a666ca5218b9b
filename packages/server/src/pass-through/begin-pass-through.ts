import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'

const RECORD = 'passing_sources'
const PAGE = 500

/**
 * A source that came to pass through, or that does so no more: what its collections keep is of the other kind, and goes. Devices start over;
 * what they had not sent goes again.
 */
export async function beginPassThrough({
  store,
  sources,
  log,
}: Pick<Engine, 'store' | 'sources' | 'log'>): Promise<void> {
  const { registry, collections } = store
  const record = await registry.get('server', RECORD)
  const before = new Set((record?.value['names'] ?? []) as readonly string[])
  const names = sources.all().flatMap(({ name, passThrough }) => (passThrough ? [name] : []))
  const turned = sources.all().filter(({ name, passThrough }) => passThrough !== before.has(name))
  if (turned.length === 0) return
  for (const { name } of turned) {
    for (let page = await collections.collections({ source: name, limit: PAGE }); page.length > 0; ) {
      for (const collection of page) await collections.drop(collection)
      const after: CollectionId | undefined = page.at(-1)
      page = await collections.collections({ source: name, after, limit: PAGE })
    }
    log.info({ source: name }, 'a source began or ended to pass through: its collections begin again')
  }
  const known = sources.all().map(({ name }) => name)
  const others = [...before].filter(name => !known.includes(name))
  const value = { names: [...others, ...names] }
  if (!(await registry.create('server', { id: RECORD, value }))) await registry.merge('server', RECORD, value)
}
