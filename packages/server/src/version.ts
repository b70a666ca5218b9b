/** The version of this package, as its manifest names it. */
export const SERVER_VERSION = '0.1.0'
