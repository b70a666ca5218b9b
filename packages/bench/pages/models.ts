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

/** Syncs, so that each create also goes into the outbox. */
export const Item = defineModel('Item', {
  sync: 'incremental',
  storage: 'fixed',
  attributes,
  indexes: { byIndexed: ['indexed'] },
})
/** Does not sync, so nothing waits in the outbox: its rows correspond to a device that has sent everything. */
export const LocalItem = defineModel('LocalItem', { storage: 'fixed', attributes, indexes: { byIndexed: ['indexed'] } })
export const models = { Item, LocalItem }
