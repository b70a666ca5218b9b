import type { Attributes, ObjectId } from '@godwit/protocol'
import { type ShownBlobs, shownBlobs } from '../blobs/show-blobs.js'
import type { DeviceDatabase } from '../database/database.js'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel, OpenModels } from '../database/models.js'
import type { Definition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import type { DeviceFiles } from '../files/device-files.js'
import { idNow } from '../outbox/linked-ids.js'
import { fitsAsGiven } from './fit.js'

/** What the verbs of one model choose from. */
export interface RecordEngine {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly model: OpenModel
  readonly newId: () => ObjectId
  /** Of attributes that have one; undefined when none has. */
  readonly defaults: Attributes | undefined
  /** Undefined where it takes the long way for every object. */
  readonly whole: WholeAttributes | undefined
  /** How blobs are shown; undefined when no attribute has any. */
  readonly blobs: ShownBlobs | undefined
  /** Undefined on platforms without file storage. */
  readonly files: DeviceFiles | undefined
  /** An object where it lies now: an app may hold on to a temporary id. */
  readonly locate: (object: ObjectId) => { readonly object: ObjectId; readonly row: StoredRow } | undefined
  /** The same id, where there may be no row. */
  readonly idOf: (object: ObjectId) => ObjectId
}

interface EngineParts extends Pick<RecordEngine, 'database' | 'models' | 'model' | 'newId'> {
  readonly files: DeviceFiles | undefined
}

export function engineOf({ database, models, model, newId, files }: EngineParts): RecordEngine {
  const withDefault = [...model.definition.attributes.values()].filter(attribute => attribute.default !== undefined)
  const defaults =
    withDefault.length > 0
      ? Object.fromEntries(withDefault.map(attribute => [attribute.name, attribute.default ?? null]))
      : undefined
  return {
    database,
    models,
    model,
    newId,
    files,
    blobs: shownBlobs(model, files),
    defaults,
    whole: wholeAttributes(model.definition, defaults),
    locate(object) {
      const row = model.rows.get(object)
      if (row || !model.synced) return row && { object, row }
      const now = idNow([model], object)
      const moved = now === object ? undefined : model.rows.get(now)
      return moved && { object: now, row: moved }
    },
    idOf: object => idNow([model], object),
  }
}

/** Returns a copy of the attributes of a new object; undefined where one of them is missing, unknown or converted. */
type WholeAttributes = (given: Attributes) => Attributes | undefined

/** The short way of `fit` and `checkComplete` for a typed definition, in one loop; undefined for others. */
function wholeAttributes(definition: Definition, defaults: Attributes | undefined): WholeAttributes | undefined {
  const { attributes, typed } = definition
  // A name that every object inherits needs a record without a prototype.
  if (!typed || [...attributes.keys()].some(name => name in {})) return undefined
  const required = [...attributes.values()].filter(({ presence }) => presence === 'required').length
  return given => {
    if (!hasMembers(given)) return undefined
    const copy = defaults ? { ...defaults, ...given } : { ...given }
    let found = 0
    for (const name in copy) {
      const [attribute, value] = [attributes.get(name), copy[name]]
      if (!attribute || value === undefined || !fitsAsGiven(attribute, value)) return undefined
      if (attribute.presence === 'required') found++
    }
    return found === required ? copy : undefined
  }
}
