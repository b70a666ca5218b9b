import { serveDevice } from '@godwit/model/browser/worker'
import { cities } from './cities.js'

serveDevice({ models: cities })
