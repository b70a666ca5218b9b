/** Lets the event loop turn. */
export const pause = () => new Promise<void>(resolve => setImmediate(resolve))
