const keyOf = (name: string): string => `godwit-${encodeURIComponent(name)}=`

/** Returns `<changes>.<client id>` of a device that was here: a cookie outlives what the browser evicts. */
export const readCookie = (name: string): string | undefined => document.cookie.split(keyOf(name))[1]?.split(';')[0]

/** Keeps it for 400 days, which is all that browsers allow. */
export function writeCookie(name: string, value: string): void {
  const cookie = keyOf(name) + value
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers with promises, which a page that is closed does not wait for.
  if (!document.cookie.includes(cookie)) document.cookie = `${cookie};path=/;max-age=34560000`
}
