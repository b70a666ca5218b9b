import { defineModel, t } from '@godwit/model'

export const Task = defineModel('Task', {
  sync: 'incremental',
  attributes: { title: t.string(), done: t.boolean().default(false) },
  textSearch: ['title'],
})
