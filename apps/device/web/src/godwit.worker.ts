import { defineActions, serveDevice } from '@godwit/model/browser/worker'
import { models } from './models.js'
import { networkSwitch } from './network-switch.js'

const switchOff = networkSwitch(globalThis)

export const actions = defineActions(models, {
  /** Simulates the loss of the network, for the demo. */
  setOffline: (_sdk, isOffline: boolean): void => void switchOff(isOffline),
})

serveDevice({ models, actions })
