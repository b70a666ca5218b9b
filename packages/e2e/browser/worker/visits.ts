import { defineModel, t } from '@godwit/model'

const noteAttributes = { text: t.string().default(''), stars: t.integer().optional(), picture: t.blob().optional() }

/** The models of a small app, as its pages and its worker import them. */
export const Note = defineModel('Note', {
  sync: 'incremental',
  attributes: noteAttributes,
  indexes: { byText: ['text'] },
})
/** Of the apps that have `places` among their parameters. */
export const Place = defineModel('Place', { partition: 'app', sync: 'incremental', attributes: { name: t.string() } })
export const Draft = defineModel('Draft', { attributes: { text: t.string().default('') } })

/** The notes of the next release of the app, which marks what there is. */
export const NoteOfNextRelease = defineModel('Note', {
  sync: 'incremental',
  schemaVersion: 1,
  attributes: { ...noteAttributes, length: t.integer().optional() },
  indexes: { byText: ['text'] },
  migrate(_before, _after, database) {
    for (const { id, attributes } of database.objects()) {
      const text = String(attributes['text'])
      database.change(id, { text: `${text} migrated`, length: text.length })
    }
  },
})
