/** Returns a time in milliseconds since an arbitrary origin; whole numbers if the engine has no finer clock. */
export const moment = (): number => (typeof performance === 'object' ? performance.now() : Date.now())
