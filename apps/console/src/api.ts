import { AdminClient, isSyncError } from '@godwit/admin-client'

type Listener = () => void

function createListeners(): { readonly add: (listener: Listener) => () => void; readonly tell: Listener } {
  const all = new Set<Listener>()
  return {
    add: listener => {
      all.add(listener)
      return () => void all.delete(listener)
    },
    tell: () => {
      for (const listener of all) listener()
    },
  }
}

const signedOut = createListeners()
const signedInAgain = createListeners()
let isOut = false

/** Told when the server no longer knows who asks. */
export const onSignedOut = signedOut.add

/** Told when somebody whose session had ended is back: what failed meanwhile is asked once more. */
export const onSignedInAgain = signedInAgain.add

/** True from the end of a session to the next: nothing is asked by itself. */
export const isSignedOut = (): boolean => isOut

/** `isSame`: the user who was signed in before is back. */
export function signedIn(isSame: boolean): void {
  isOut = false
  if (isSame) signedInAgain.tell()
}

/** The server stands one step above the folder of the console, also below a path of a proxy. */
const url = new URL('..', location.href.split('#')[0]).href

/** The server, as the console sees it: by cookie, so that no secret is in the hands of scripts. */
export const admin = new AdminClient({
  url,
  fetch: async (address, request) => {
    const answer = await fetch(address, { ...request, credentials: 'same-origin' })
    if (answer.status === 401 && !address.endsWith('/system/session')) {
      isOut = true
      signedOut.tell()
    }
    return answer
  },
})

/** Where a page of the server itself is, like `docs`. */
export const serverPage = (path: string): string => url + path

/** What went wrong, in the server's words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of an error of the server; undefined for any other error. */
export const codeOf = (error: unknown): string | undefined => (isSyncError(error) ? error.code : undefined)
