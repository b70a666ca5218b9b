import { createIndexes, createStore } from 'tinybase'
import { createOpfsPersister } from 'tinybase/persisters/persister-browser'
import type { DeviceRow } from '../../src/device-rows.js'
import type { OpenPageSystem } from '../page-system.js'

/** A store in memory, saved as a whole into a file of the origin. */
export const open: OpenPageSystem = async () => {
  const store = createStore()
  const folder = await navigator.storage.getDirectory()
  const persister = createOpfsPersister(store, await folder.getFileHandle('tinybase.json', { create: true }))
  await persister.load()
  const indexes = createIndexes(store)
  indexes.setIndexDefinition('byIndexed', 'item', 'indexed')
  const set = ({ id, ...row }: DeviceRow) => void store.setRow('item', id, row)
  const find = (group: string) => indexes.getSliceRowIds('byIndexed', group).map(id => store.getRow('item', id)).length
  return {
    async store(rows) {
      store.transaction(() => rows.forEach(set))
      await persister.save()
    },
    async create(row) {
      set(row)
      // On disk, like the others.
      await persister.save()
    },
    find: async group => find(group),
    async live(group, report) {
      const listener = indexes.addSliceRowIdsListener('byIndexed', group, () => report(find(group)))
      report(find(group))
      return () => void indexes.delListener(listener)
    },
  }
}
