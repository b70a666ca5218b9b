import { useEffect, useState } from 'react'
import { beginSignIn, findDemoProvider, finishSignIn } from '../sign-in/demo-provider.js'

interface ProviderSignInProps {
  readonly isBusy: boolean
  /** Called when the provider has led back. */
  readonly onReturn: () => void
  readonly onFailure: (error: unknown) => void
}

/** Signs in with the demo provider, if the server was started with it. */
export function ProviderSignIn({ isBusy, onReturn, onFailure }: ProviderSignInProps) {
  const [issuer, setIssuer] = useState<string>()
  // Once: the code is taken out of the address at the first time.
  useEffect(() => {
    finishSignIn().then(hasReturned => hasReturned && onReturn(), onFailure)
    // Without a network the provider cannot be reached either.
    findDemoProvider().then(setIssuer, () => undefined)
  }, [])
  if (issuer === undefined) return null
  return (
    <button type="button" className="plain" disabled={isBusy} onClick={() => void beginSignIn(issuer).catch(onFailure)}>
      Sign in with the demo provider
    </button>
  )
}
