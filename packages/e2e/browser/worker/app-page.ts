import { openDevice, remoteActions } from '@godwit/model/browser'
import type { actions } from './app-worker.js'
import { Draft, Note, NoteOfNextRelease, Place } from './visits.js'

interface PageScope {
  readonly location: { readonly search: string }
  device: unknown
  events: object[]
  /** As the scope of a page has it. */
  readonly Worker: new (
    address: string,
    options: { readonly type: 'module' },
  ) => never
}
const scope = globalThis as unknown as PageScope
const given = new URLSearchParams(scope.location.search)

const device = openDevice({
  name: given.get('name') ?? 'visits',
  server: given.get('server') ?? '/',
  models: {
    Note: given.has('next') ? (NoteOfNextRelease as unknown as typeof Note) : Note,
    Draft,
    ...(given.has('places') ? { Place } : ({} as { readonly Place: typeof Place })),
  },
  actions: remoteActions<typeof actions>(),
  worker: () => new scope.Worker(given.get('worker') ?? '/worker.js', { type: 'module' }),
  requireStorage: given.has('require'),
  release: Number(given.get('release') ?? 0),
})
scope.device = device
scope.events = []
void (async () => {
  for await (const event of device.events()) scope.events.push(event)
})()
