import { AdminClient, isSyncError } from '@godwit/admin-client'

type Listener = () => void

function createListeners(): { readonly add: (listener: Listener) => () => void; readonly notify: Listener } {
  const all = new Set<Listener>()
  return {
    add: listener => {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify: () => {
      for (const listener of all) listener()
    },
  }
}

const signedOut = createListeners()
const signedInAgain = createListeners()
let isOut = false

/** Adds a listener, called when the server rejects the session. */
export const onSignedOut = signedOut.add

/** Adds a listener, called when the same user has signed in again after the session ended, to repeat failed requests. */
export const onSignedInAgain = signedInAgain.add

/** True after the session ended, until the next sign-in; nothing reloads automatically meanwhile. */
export const isSignedOut = (): boolean => isOut

/** Call after a sign-in. `isSame`: it is the user of the previous session. */
export function signedIn(isSame: boolean): void {
  isOut = false
  if (isSame) signedInAgain.notify()
}

/** The server's URL is the parent of the console's, also behind a proxy with a path prefix. */
const url = new URL('..', location.href.split('#')[0]).href

/** The client of the server. It uses the cookie, so scripts hold no secret. */
export const admin = new AdminClient({
  url,
  fetch: async (address, request) => {
    const answer = await fetch(address, { ...request, credentials: 'same-origin' })
    if (answer.status === 401 && !address.endsWith('/system/session')) {
      isOut = true
      signedOut.notify()
    }
    return answer
  },
})

/** Returns the URL of a page of the server, like `docs`. */
export const serverPage = (path: string): string => url + path

/** Returns the message of an error. Where the server names a member of a request by its path, the message begins with the member's name. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(
    /^The (?:body|query) is not valid: \S*?([^/\s]+) (?=\S)/,
    (_, name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')} `,
  )

/** True for an error that may pass by itself, such as a server that does not respond. */
export const isPassing = (error: unknown): boolean => isSyncError(error) && error.retryable

/** Resolves to true if the server responds. */
export const isReachable = (): Promise<boolean> =>
  fetch(`${url}healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Returns the code of an error from the server; undefined for any other error. */
export const codeOf = (error: unknown): string | undefined => (isSyncError(error) ? error.code : undefined)
