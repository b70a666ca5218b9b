import { serveDevice } from '@godwit/model/browser/worker'
import { items } from './items.js'

serveDevice({
  models: items,
  opened(sdk) {
    // The login would begin a sync by pulls.
    sdk.pollInterval = 0
  },
})
