import { defineModel, t } from '@godwit/model'

const attributes = {
  indexed: t.string(),
  unindexed: t.string(),
  note: t.string(),
  place: t.string(),
  person: t.string(),
  batch: t.string(),
  rank: t.integer(),
}

/** It syncs: each create goes into the outbox, too. */
export const Item = defineModel('Item', {
  sync: 'incremental',
  storage: 'fixed',
  attributes,
  indexes: { byIndexed: ['indexed'] },
})
/** It does not sync, so that nothing waits in the outbox: rows on disk are those of a device that sent everything. */
export const LocalItem = defineModel('LocalItem', { storage: 'fixed', attributes, indexes: { byIndexed: ['indexed'] } })
export const models = { Item, LocalItem }
