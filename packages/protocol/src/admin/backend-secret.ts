import { nullable, object, type Schema, string } from '../schema.js'

/** The secret with which calls of the plugin backend are signed. */
export interface BackendSecret {
  /** The secret that the server made for its store; null if the configuration has one, which is not shown. */
  readonly secret: string | null
}

export const backendSecretSchema: Schema<BackendSecret> = object<BackendSecret>({ secret: nullable(string()) })
