/** Images that files name, and their digests in the registry that has them. */

export interface Image {
  /** As the file has it, without a digest. */
  readonly text: string
  /** With what stands for variables, like `node:24-bookworm-slim`. */
  readonly name: string
  /** `sha256:…`; undefined: the file names none. */
  readonly digest: string | undefined
}

type Fetch = (url: string, request?: RequestInit) => Promise<Response>

const LINE = /^(?:FROM|\s*image:)\s+([^\s@]+)(?:@(sha256:[0-9a-f]{64}))?/gm

/** What a Dockerfile begins with, and what a compose file runs; not what is built here. */
export function imagesIn(text: string): readonly Image[] {
  const defaults = new Map([...text.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]))
  const filled = (image: string): string => image.replace(/\$\{(\w+)\}/g, (_, name: string) => defaults.get(name) ?? '')
  return [...text.matchAll(LINE)]
    .map(([, image = '', digest]) => ({ text: image, name: filled(image), digest }))
    .filter(({ name }) => name.includes(':'))
}

/** The same text with the digest behind each mention of the image. */
export function pinned(text: string, { text: image }: Image, digest: string): string {
  return text.replace(LINE, (line, named: string) =>
    named === image ? `${line.replace(/@sha256:[0-9a-f]{64}$/, '')}@${digest}` : line,
  )
}

/** What the registry has for the tag. Throws where it has none. */
export async function digestIn({ name }: Image, fetch: Fetch): Promise<string> {
  const [repository, tag] = partsOf(name)
  const answer = await manifest(repository, tag, fetch)
  const digest = answer.headers.get('docker-content-digest')
  if (answer.ok && digest !== null && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest
  throw new Error(`${name}: expected a digest of the registry, got ${answer.status} ${digest ?? 'without one'}.`)
}

/** Whether the registry has exactly this. Throws where it does not say. */
export async function isAt({ name, digest = '' }: Image, fetch: Fetch): Promise<boolean> {
  const [repository] = partsOf(name)
  const { ok, status } = await manifest(repository, digest, fetch)
  if (!ok && status !== 404) throw new Error(`${name}: expected the registry to say whether it has it, got ${status}.`)
  return ok
}

/** `node:24` is `library/node` on Docker Hub. */
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

/** Anonymous, by the token that the registry says where to get. */
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
