/** A path without the slash at its end, which makes no difference. */
export const bare = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)
