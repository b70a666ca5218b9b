export { isSyncError, SyncError } from '@godwit/protocol'
export type { BlobRef, Kinds, PlainKinds } from './definition/attribute-types.js'
export type { Presence } from './definition/definition.js'
export type { Migrate, MigratedObject, Migration } from './definition/migration.js'
export type { Overwritten, PendingChange, Refusal } from './definition/reported-changes.js'
export type { SdkEvent } from './events/sdk-events.js'
export type { LiveQueryFacts, TraceEvent } from './live/trace.js'
export type { DeviceStatus, SourceStatus } from './remote/protocol.js'
export type { RemoteOverwritten, RemoteRefusal, Snapshot } from './remote/remote-device.js'
export type { PushAddress, WebPushSubscription } from './run/push-registration.js'
export type { Sdk } from './sdk/sdk.js'
export type { Duration, SubscribeOptions } from './subscriptions/subscribe.js'
export type { RemoteSubscription, Subscription } from './subscriptions/subscription.js'
export type { SubscriptionInfo, SubscriptionState } from './subscriptions/subscription-list.js'
export type {
  Attribute,
  AttributeNaming,
  BelongsTo,
  Enum,
  Frozen,
  Json,
  RequiredAttribute,
  RequiredBelongsTo,
  RequiredEnum,
  StandardSchema,
  UnfinishedBlob,
  UnfinishedJson,
} from './typed/attribute.js'
export { defineModel, type ModelOptions } from './typed/define-model.js'
export type {
  AnyDate,
  Conditions,
  CountOptions,
  Direction,
  FindOptions,
  NoRelations,
  Order,
  PageOptions,
  RowOptions,
  RowWith,
  With,
} from './typed/find-options.js'
export type {
  Attributes,
  AttributesOf,
  ChangeOf,
  CreateOf,
  KeyIn,
  Model,
  Models,
  ParametersOf,
  RowOf,
} from './typed/infer.js'
export type { LiveQuery, LiveRows } from './typed/live-rows.js'
export type { OverwrittenChange } from './typed/overwritten-change.js'
export type { EditOf, RefusedChange, RefusedChangeOf } from './typed/refused-change.js'
export { t } from './typed/t.js'
export type { MigrateTyped, TypedMigration } from './typed/typed-migration.js'
export type { Access, AccessResult, CreateAttributes, TypedModel, UpdateAttributes } from './typed/typed-model.js'
export type { CheckedModels, TypedModels } from './typed/typed-models.js'
export type { Sql } from './typed/typed-sql.js'
