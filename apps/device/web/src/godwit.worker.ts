import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { models } from './models.js'
import { networkSwitch } from './network-switch.js'

const switchOff = networkSwitch(globalThis)

export const actions = defineActions(models, {
  /** Simulates the loss of the network, for the demo. */
  setOffline: (_sdk, isOffline: boolean): void => void switchOff(isOffline),
})

serveDevice({
  models,
  actions,
  /** After a login, a user's few visits arrive before 135,233 cities, which visits belong to and which a sync of all therefore fetches first. */
  async opened(sdk) {
    let wasLoggedIn = sdk.status().loggedIn
    for await (const event of sdk.events()) {
      if (event.kind !== 'status') continue
      if (event.loggedIn && !wasLoggedIn) void sdk.sync('Visit').catch(() => undefined)
      wasLoggedIn = event.loggedIn
    }
  },
})
