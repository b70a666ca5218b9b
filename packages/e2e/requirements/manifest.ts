import { behaviour } from './behaviour.js'
import { modelApi } from './model-api.js'
import type { Document } from './requirement.js'
import { restApi } from './rest-api.js'

/** Every behaviour of the three documents: the REST API, the model API, and what decides the rest. */
export const manifest: readonly Document[] = [restApi, modelApi, behaviour]
