import { defineModel, t } from '@godwit/model'

/** The models of a small app, as its pages and its worker import them. */
export const Note = defineModel('Note', {
  sync: 'incremental',
  attributes: { text: t.string().default(''), stars: t.integer().optional(), picture: t.blob().optional() },
  indexes: { byText: ['text'] },
})
export const Draft = defineModel('Draft', { attributes: { text: t.string().default('') } })
