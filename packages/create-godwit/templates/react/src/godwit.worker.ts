import { serveDevice } from '@godwit/model/browser/worker'
import * as models from '../models.ts'

serveDevice({ models })
