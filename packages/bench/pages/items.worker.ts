import { serveDevice } from '@godwit/model/browser/worker'
import { items } from './items.js'

serveDevice({
  models: items,
  opened(sdk) {
    // Otherwise the login would start a sync by pulls.
    sdk.pollInterval = 0
  },
})
