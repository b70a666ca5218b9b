/** Returns the path without a trailing slash, which has no meaning. */
export const bare = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)
