import { nullable, object, type Schema, string } from '../schema.js'

/** Where the plugin backend is. */
export interface AppServer {
  /** An http or https address without credentials, below which the backend answers; null: there is none. Written, '' counts as null. */
  readonly adapter_url: string | null
}

export const appServerSchema: Schema<AppServer> = object<AppServer>({
  adapter_url: nullable(string({ maxLength: 2048 })),
})
