import { PEOPLE_OF, type Person, personOf } from './people.js'

/** An authorization request that may be granted. */
export interface AuthorizationRequest {
  readonly client: string
  readonly redirectUri: URL
  readonly state: string | null
  readonly nonce: string | undefined
  readonly challenge: string
  /** Undefined until the visitor has chosen one. */
  readonly person: Person | undefined
}

/** Reads a request for a code. Throws an error that says what does not fit; nothing is sent to an address that is not allowed. */
export function readAuthorization(parameters: URLSearchParams): AuthorizationRequest {
  const client = parameters.get('client_id') ?? ''
  const redirectUri = parameters.get('redirect_uri') ?? ''
  const challenge = parameters.get('code_challenge') ?? ''
  if (!PEOPLE_OF.has(client)) throw new Error(`client_id: expected one of ${[...PEOPLE_OF.keys()].join(', ')}.`)
  if (!URL.canParse(redirectUri) || !isLocal(new URL(redirectUri)))
    throw new Error(
      'redirect_uri: expected an address of this machine, got another. Open the page by http://127.0.0.1 or localhost.',
    )
  if (parameters.get('response_type') !== 'code') throw new Error('response_type: expected code, got another value.')
  if (challenge === '' || parameters.get('code_challenge_method') !== 'S256')
    throw new Error('code_challenge: expected one of the method S256.')
  return {
    client,
    redirectUri: new URL(redirectUri),
    state: parameters.get('state'),
    nonce: parameters.get('nonce') ?? undefined,
    challenge,
    person: personOf(client, parameters.get('person')),
  }
}

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname))

/** The page on which a visitor chooses who to be. */
export function choicePage({ client }: AuthorizationRequest, parameters: URLSearchParams): string {
  const people = PEOPLE_OF.get(client) ?? []
  const links = people.map(person => {
    const query = new URLSearchParams([...parameters, ['person', person.id]])
    return `<a href="/authorize?${escaped(query.toString())}">${escaped(person.name)}</a>`
  })
  return page(`<h1>Who are you?</h1><p>The demo provider has these accounts, without passwords.</p>${links.join('')}`)
}

export const failurePage = (message: string): string =>
  page(`<h1>This sign-in cannot go on</h1><p>${escaped(message)}</p>`)

const page = (content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demo provider</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 24rem; margin: 15vh auto 0; padding: 0 1rem }
a { display: block; margin: 0.5rem 0; padding: 0.75rem 1rem; border: 1px solid; border-radius: 0.5rem }
</style>
<main>${content}</main>
</html>`

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
