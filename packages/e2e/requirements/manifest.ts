import { modelApi } from './model-api.js'
import type { Document } from './requirement.js'
import { restApi } from './rest-api.js'

/** Every statement of the two documents of the specification: the REST API and the model API. */
export const manifest: readonly Document[] = [restApi, modelApi]
