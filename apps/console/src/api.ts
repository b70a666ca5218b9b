import { AdminClient, isSyncError } from '@godwit/admin-client'

/** Told when the server no longer knows who asks. */
type Listener = () => void
const listeners = new Set<Listener>()

export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server stands one step above the folder of the console, also below a path of a proxy. */
const url = new URL('..', location.href.split('#')[0]).href

/** The server, as the console sees it: by cookie, so that no secret is in the hands of scripts. */
export const admin = new AdminClient({
  url,
  fetch: async (address, request) => {
    const answer = await fetch(address, { ...request, credentials: 'same-origin' })
    if (answer.status === 401 && !address.endsWith('/system/session')) for (const listener of listeners) listener()
    return answer
  },
})

/** Where a page of the server itself is, like `docs`. */
export const serverPage = (path: string): string => url + path

/** What went wrong, in the server's words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const codeOf = (error: unknown): string | undefined => (isSyncError(error) ? error.code : undefined)
