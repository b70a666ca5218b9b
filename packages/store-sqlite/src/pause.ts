/** Resolves after the event loop has handled pending events. */
export const pause = () => new Promise<void>(resolve => setImmediate(resolve))
