import type { AuthProvider, Log, PushProviders, Source } from '@godwit/source'
import type { Jobs, Store } from '@godwit/store'
import type { Resolve } from '../backend/sources/address-guard.js'
import type { Authenticate } from '../backend/sources/authenticate.js'
import type { BackendOptions } from '../backend/sources/plugin-backend.js'
import type { Limits } from '../base/limits.js'
import type { StaticFolder } from '../http/static.js'

/** The options of `createSyncServer`. */
export interface SyncServerOptions {
  readonly store: Store
  /** Runs work outside of requests. Default: in memory, so that a restart loses waiting jobs; mutations are in the store and are not lost. */
  readonly jobs?: Jobs
  // biome-ignore lint/suspicious/noExplicitAny: a list of sources of different attributes; `Source<A>` is invariant in A
  readonly sources: readonly Source<any>[]
  /** Decides on device logins. Default: users of the registry with their passwords. */
  readonly authenticate?: Authenticate
  /**
   * What devices log in with: `passwords()`, `oidc(…)` and `jwt(…)` of `@godwit/auth`. API users keep their passwords. Default: passwords.
   */
  readonly auth?: readonly AuthProvider[]
  /** Send pings to devices without an open event stream. Default: none, and such devices are skipped. */
  readonly pushProviders?: PushProviders
  /**
   * The text that a device shows in place of silent messages beyond the three an hour for which platforms have room; opening it syncs. Default `There
   * is news.`; empty: none is sent.
   */
  readonly pushFallback?: string
  /** The admin to create if no admin exists. Absent: none is created. */
  readonly admin?: { readonly login: string; readonly password: string }
  /** Device users created in a new store, and again after a reset. Default: none. */
  readonly users?: readonly { readonly login: string; readonly password: string }[]
  /** Allows `POST /rc/v1/system/reset`. Default false. */
  readonly resetAllowed?: boolean
  /** The licensee in the license. Default: a sentence that says that anyone may use the server. */
  readonly licensee?: string
  /** The bearer token required for `GET /metrics`. Default: none is required. */
  readonly metricsToken?: string
  readonly limits?: Partial<Limits>
  /** The HTTP backend for device logins and sources without methods. Default: none. */
  readonly backend?: BackendOptions
  /** Creates unknown sources when they are first pulled, pushed or written to: at most 1,000, and `dynamicSourcesPerUser` per user. Default false. */
  readonly dynamicSources?: boolean
  /** Allows loopback, private and reserved addresses for the plugin backend. Default false. */
  readonly allowPrivateBackends?: boolean
  /** Resolves host names of backends. Default: the system's resolver. */
  readonly resolveName?: Resolve
  /** Default: no logs. */
  readonly log?: Log
  /** Logs each request at level `info`: route, user, client, status, milliseconds, and the id in the response's `X-Request-Id`. Default false. */
  readonly logRequests?: boolean
  /** Folders of built pages to serve, like a console or an app. A browser that opens `/` is redirected to the first. Default: none. */
  readonly pages?: readonly StaticFolder[]
  /** Origins of pages that may send credentials. Default: only the server's own. */
  readonly origins?: readonly string[]
  /** Trusts `X-Forwarded-Proto` from a proxy that terminates https. Default false: the header is ignored. */
  readonly trustProxy?: boolean
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Random text of 128 bits or more. Default: from `node:crypto`. */
  readonly randomId?: () => string
}
