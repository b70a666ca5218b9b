import { serveDevice } from '@godwit/model/browser/worker'
import { items } from './items.js'

serveDevice({ models: items })
