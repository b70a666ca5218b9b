// In-memory backends: some refuse changes, refer to each other, support searches, or take query parameters.
import { defineSource, refusal } from '@godwit/server'

/** Returns a check that refuses an operation on a note `once…` the first time, and on `never` always. */
function doubting() {
  const refused = new Set()
  return (operation, note) => {
    const text = `${operation} ${note}`
    if (note === 'never' || (String(note).startsWith('once') && !refused.has(text))) {
      refused.add(text)
      throw refusal(`Not now: ${text}.`)
    }
  }
}

function memory(doubt = () => {}) {
  const objects = new Map()
  let made = 0
  return {
    query: () => Object.fromEntries(objects),
    create(attributes) {
      doubt('create', attributes.note)
      const id = `real${++made}`
      objects.set(id, attributes)
      return id
    },
    update(id, changes) {
      doubt('update', changes.note)
      objects.set(id, { ...objects.get(id), ...changes })
    },
    delete(id) {
      doubt('delete', objects.get(id)?.note)
      objects.delete(id)
    },
  }
}

const library = new Map([
  ['b1', { title: 'Emma' }],
  ['b2', { title: 'Ulysses' }],
])
const source = (name, settings) => defineSource({ name, pollInterval: 0, ...settings })

export default {
  sources: [
    source('Note', memory(doubting())),
    source('Owner', memory()),
    source('Child', { ...memory(), belongsTo: { owner: 'Owner' } }),
    source('Book', {
      pollInterval: -1,
      search: (text, { offset, limit }) =>
        Object.fromEntries([...library].filter(([, { title }]) => title.includes(text)).slice(offset, offset + limit)),
      update: (id, changes) => void library.set(id, { ...library.get(id), ...changes }),
      delete: id => void library.delete(id),
    }),
    source('Report', { pollInterval: -1, query: ({ parameters }) => ({ only: { year: parameters.year ?? 'any' } }) }),
    source('Atlas', { syncType: 'bulk_only', query: () => ({}) }),
  ],
}
