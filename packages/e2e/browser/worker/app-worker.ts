import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { Draft, Note, NoteOfNextRelease, Place } from './visits.js'

const { search } = (globalThis as unknown as { readonly location: { readonly search: string } }).location
const given = new URLSearchParams(search)
const models = {
  Note: given.has('next') ? (NoteOfNextRelease as unknown as typeof Note) : Note,
  Draft,
  ...(given.has('places') ? { Place } : ({} as { readonly Place: typeof Place })),
}
export const actions = defineActions(models, {
  addAll: (sdk, texts: readonly string[]) => sdk.models.Draft.createMany(texts.map(text => ({ text }))).length,
  addNotes: (sdk, count: number) =>
    sdk.models.Note.createMany(Array.from({ length: count }, (_, at) => ({ text: `note ${at}` }))).length,
})
const release = given.has('release') ? { release: Number(given.get('release')) } : {}
serveDevice({
  models,
  actions,
  ...release,
  opened(sdk) {
    // Nothing comes by pulls that were not asked for.
    if (given.has('still')) sdk.pollInterval = 0
    if (given.has('notes-refusals'))
      sdk.getModel('Note')?.onRefused(({ attributes }) => {
        sdk.models.Draft.create({ text: `refused: ${attributes['text']}` })
      })
  },
})
