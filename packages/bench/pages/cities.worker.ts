import { serveDevice } from '@godwit/model/browser/worker'
import { cities } from '../src/cities.js'

serveDevice({ models: cities })
