import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { Draft, Note } from './visits.js'

const models = { Note, Draft }
export const actions = defineActions(models, {
  addAll: (sdk, texts: readonly string[]) => sdk.models.Draft.createMany(texts.map(text => ({ text }))).length,
})
serveDevice({ models, actions })
