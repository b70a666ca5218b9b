export { isSyncError, SyncError } from '@godwit/protocol'
export type { Migrate, Migration } from './definition/migration.js'
export { defineModel, type ModelOptions, type ModelSpec } from './typed/define-model.js'
export type {
  AttributeSpec,
  AttributeSpecs,
  AttributesOf,
  ChangeOf,
  ConditionsOf,
  CreateOf,
  FindOptions,
  RowOf,
} from './typed/infer.js'
export type { TypedModel } from './typed/typed-model.js'
