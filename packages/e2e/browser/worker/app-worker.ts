import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { Draft, Note } from './visits.js'

const models = { Note, Draft }
export const actions = defineActions(models, {
  addAll: (sdk, texts: readonly string[]) => sdk.models.Draft.createMany(texts.map(text => ({ text }))).length,
})
const { search } = (globalThis as unknown as { readonly location: { readonly search: string } }).location
serveDevice({ models, actions, release: Number(new URLSearchParams(search).get('release') ?? 0) })
