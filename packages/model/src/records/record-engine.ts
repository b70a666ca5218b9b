import type { Attributes, ObjectId } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { Definition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import { idNow } from '../outbox/linked-ids.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { type BlobPaths, blobPathsOf } from './blob-paths.js'
import { fitsAsGiven } from './fit.js'

/** The dependencies of the operations of one model. */
export interface RecordEngine {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly model: OpenModel
  readonly newId: () => ObjectId
  /** Default values by attribute; undefined if there are none. */
  readonly defaults: Attributes | undefined
  /** The fast path for valid new objects; undefined if every object needs all checks. */
  readonly whole: WholeAttributes | undefined
  /** Converts blobs for the app; undefined if no attribute holds any. */
  readonly blobs: BlobPaths | undefined
  /** Undefined on platforms without file storage. */
  readonly files: DeviceFiles | undefined
  /** Finds the row of an object by its current or temporary id. */
  readonly locate: (object: ObjectId) => { readonly object: ObjectId; readonly row: StoredRow } | undefined
  /** Returns the current id, even if there is no row. */
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
    blobs: blobPathsOf(model, files),
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

/** Returns a copy of a new object's attributes; undefined if one of them is missing, unknown or converted. */
type WholeAttributes = (given: Attributes) => Attributes | undefined

/** Combines `fit` and `checkComplete` of a typed definition in one loop; undefined for other definitions. */
function wholeAttributes(definition: Definition, defaults: Attributes | undefined): WholeAttributes | undefined {
  const { attributes, typed } = definition
  // Names of members of `Object.prototype` need a record without a prototype.
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
