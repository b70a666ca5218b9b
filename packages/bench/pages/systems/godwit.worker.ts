import { serveDevice } from '@godwit/model/browser/worker'
import { models } from '../models.js'

serveDevice({ models })
