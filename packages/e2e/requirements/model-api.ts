import { defining } from './model-api/defining.js'
import { deprecated } from './model-api/deprecated.js'
import { enable } from './model-api/enable.js'
import { fieldTypes } from './model-api/field-types.js'
import { find } from './model-api/find.js'
import { paginate } from './model-api/paginate.js'
import { properties } from './model-api/properties.js'
import { recording } from './model-api/recording.js'
import { set } from './model-api/set.js'
import { syncing } from './model-api/syncing.js'
import { values } from './model-api/values.js'
import type { Document } from './requirement.js'

export const modelApi: Document = {
  name: 'model-api',
  sections: [defining, deprecated, enable, fieldTypes, find, paginate, properties, recording, set, syncing, values],
}
