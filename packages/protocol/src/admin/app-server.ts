import { nullable, object, type Schema, string } from '../schema.js'

/** The address of the plugin backend. */
export interface AppServer {
  /** Base URL of the backend, http or https, without credentials; null when none is configured. On write, '' counts as null. */
  readonly adapter_url: string | null
}

export const appServerSchema: Schema<AppServer> = object<AppServer>({
  adapter_url: nullable(string({ maxLength: 2048 })),
})
