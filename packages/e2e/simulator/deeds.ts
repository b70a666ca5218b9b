import { actionsByThemselves } from './actions/automatic.js'
import { actionsOfBulk } from './actions/bulk.js'
import { actionsOfPhotos } from './actions/photos.js'
import { actionsOfSearches } from './actions/searches.js'
import { editMany } from './app-many.js'
import { compactLate } from './compact-late.js'
import type { Deed } from './deed.js'
import { deedsOfDevices } from './deeds-of-devices.js'
import { deedsOfServers } from './deeds-of-servers.js'
import { dropCalled, dropQueried } from './drop-during.js'
import { meddle, takeBack, undo, undoDuring } from './meddle.js'
import { overtake, overtakeDoubt } from './overtake.js'
import { rewind } from './rewind.js'
import type { Verb } from './weights.js'

/** What each step does; what follows from it happens afterwards. */
export const deeds: { readonly [Name in Verb]: Deed } = {
  ...deedsOfDevices,
  ...deedsOfServers,
  ...actionsOfPhotos,
  ...actionsOfBulk,
  ...actionsByThemselves,
  ...actionsOfSearches,
  rewind,
  meddle,
  takeBack,
  undo,
  undoDuring,
  editMany,
  dropCalled,
  dropQueried,
  compactLate,
  overtake,
  overtakeDoubt,
}
