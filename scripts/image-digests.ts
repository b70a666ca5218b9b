/** Images referenced by files, and their digests in the registry. */

export interface Image {
  /** The reference as in the file, without its digest. */
  readonly text: string
  /** The reference with variables replaced, such as `node:24-bookworm-slim`. */
  readonly name: string
  /** `sha256:…`; undefined if the file has none. */
  readonly digest: string | undefined
}

type Fetch = (url: string, request?: RequestInit) => Promise<Response>

const LINE = /^(?:FROM|\s*image:)\s+([^\s@]+)(?:@(sha256:[0-9a-f]{64}))?/gm

/** Returns the base images of a Dockerfile or the images of a compose file, except those built here. */
export function imagesIn(text: string): readonly Image[] {
  const defaults = new Map([...text.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]))
  const filled = (image: string): string => image.replace(/\$\{(\w+)\}/g, (_, name: string) => defaults.get(name) ?? '')
  return [...text.matchAll(LINE)]
    .map(([, image = '', digest]) => ({ text: image, name: filled(image), digest }))
    .filter(({ name }) => name.includes(':'))
}

/** Returns the text with the digest after each reference to the image. */
export function pinned(text: string, { text: image }: Image, digest: string): string {
  return text.replace(LINE, (line, named: string) =>
    named === image ? `${line.replace(/@sha256:[0-9a-f]{64}$/, '')}@${digest}` : line,
  )
}

/** Returns the registry's digest of the tag. Throws if it has none. */
export async function digestIn({ name }: Image, fetch: Fetch): Promise<string> {
  const [repository, tag] = partsOf(name)
  const answer = await manifest(repository, tag, fetch)
  const digest = answer.headers.get('docker-content-digest')
  if (answer.ok && digest !== null && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest
  throw new Error(`${name}: expected a digest of the registry, got ${answer.status} ${digest ?? 'without one'}.`)
}

/** Returns true if the registry has this digest. Throws if it does not answer. */
export async function isAt({ name, digest = '' }: Image, fetch: Fetch): Promise<boolean> {
  const [repository] = partsOf(name)
  const { ok, status } = await manifest(repository, digest, fetch)
  if (!ok && status !== 404) throw new Error(`${name}: expected the registry to say whether it has it, got ${status}.`)
  return ok
}

/** Splits a name into repository and tag; `node:24` is `library/node` on Docker Hub. */
function partsOf(name: string): readonly [repository: string, tag: string] {
  const at = name.lastIndexOf(':')
  const repository = name.slice(0, at)
  return [repository.includes('/') ? repository : `library/${repository}`, name.slice(at + 1)]
}

const REGISTRY = 'https://registry-1.docker.io/v2'
const TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

/** Requests a manifest anonymously, with a token from the realm that the registry names. */
async function manifest(repository: string, reference: string, fetch: Fetch): Promise<Response> {
  const url = `${REGISTRY}/${repository}/manifests/${reference}`
  const headers = { accept: TYPES.join(', ') }
  const first = await fetch(url, { method: 'HEAD', headers })
  const asked = first.headers.get('www-authenticate')
  if (first.status !== 401 || asked === null) return first
  const { realm = '', ...query } = Object.fromEntries(
    [...asked.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const { token } = (await (await fetch(`${realm}?${new URLSearchParams(query)}`)).json()) as { readonly token: string }
  return fetch(url, { method: 'HEAD', headers: { ...headers, authorization: `Bearer ${token}` } })
}
