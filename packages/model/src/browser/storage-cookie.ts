const keyOf = (name: string): string => `godwit-${encodeURIComponent(name)}=`

/** Returns `<changes>.<client id>` of a device that existed: a cookie survives the eviction of storage. */
export const readCookie = (name: string): string | undefined => document.cookie.split(keyOf(name))[1]?.split(';')[0]

/** Stores it for 400 days, the most that browsers allow. */
export function writeCookie(name: string, value: string): void {
  const cookie = keyOf(name) + value
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is asynchronous, and a closing page does not wait for it.
  if (!document.cookie.includes(cookie)) document.cookie = `${cookie};path=/;max-age=34560000`
}
