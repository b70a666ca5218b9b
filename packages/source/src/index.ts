export type {
  AuthProvider,
  Claims,
  ConsoleSignIn,
  PasswordProvider,
  ProviderTools,
  SignInCallback,
  SignInRequest,
  TokenProvider,
  TokenVerifier,
  VerifiedUser,
} from './auth-provider.js'
export type { ChangesContext, ChangesPart, ChangesResult } from './changes.js'
export type {
  AccessContext,
  PartitionContext,
  QueryContext,
  ReadContext,
  SearchContext,
  SentBlob,
  SourceContext,
  WriteContext,
} from './context.js'
export { cursorGone, isCursorGone } from './cursor-gone.js'
export { defineSource, isSourceName, type SourceDefinition } from './define-source.js'
export type { Feed, FeedBatch, FeedChange, FeedContext, FeedTarget } from './feed.js'
export type { GuardedFetch, GuardedRequest, GuardedResponse } from './guarded-fetch.js'
export type { Log } from './log.js'
export type {
  KeyedPushProvider,
  PushProvider,
  PushProviders,
  PushTarget,
  PushVerdict,
  TestablePushProvider,
} from './push-provider.js'
export { failure, gone, isGone, isRefusal, messageOf, refusal } from './refusal.js'
export { flag, numberUpTo, ruleOf, type SettingRule, wholeFrom } from './setting-rules.js'
export { type ReceivedCall, type SignedCall, signatureFlaw, signCall } from './signature.js'
export type {
  ChangeableSettings,
  Conflict,
  ConflictPolicy,
  CreateAnswer,
  QueryResult,
  Source,
  SourceMethods,
  SourceSettings,
} from './source.js'
