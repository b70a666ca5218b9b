import { object, type Schema } from '../schema.js'

/** Begins the server anew. There is nothing to say. */
export type Reset = Readonly<Record<never, never>>

export const resetSchema: Schema<Reset> = object<Reset>({})
