import { object, type Schema } from '../schema.js'

/** The empty body of a reset of the server. */
export type Reset = Readonly<Record<never, never>>

export const resetSchema: Schema<Reset> = object<Reset>({})
