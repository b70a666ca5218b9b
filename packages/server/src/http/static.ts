import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { SyncError } from '@godwit/protocol'
import { bare } from './bare.js'
import { matchesEtag } from './etag.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { decodePart } from './query-string.js'

/** A folder of built pages; its `index.html` is the page at `path`. */
export interface StaticFolder {
  /** The URL path, like `/console`. `/` is the root, where routes take precedence. */
  readonly path: string
  /** An absolute file path. The folder is listed once, when the server starts. */
  readonly folder: string
  /** Directives of its content security policy that override the strict default: `{ 'script-src': "'self' 'wasm-unsafe-eval'" }`. */
  readonly policy?: { readonly [directive: string]: string }
}

/** The folders of static files that a server serves. */
export interface StaticPages {
  /** Returns undefined if no folder has the path. */
  reply(call: HttpRequest): Promise<HttpReply> | undefined
  has(path: string): boolean
}

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** File names with a content hash from a build. */
const HASHED_NAME = /-[\w-]{8,}\.\w+$/

/** Compressed versions, `app.js.br` beside `app.js`, best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Milliseconds between two directory listings for unknown names, since another build may have replaced the files. */
const LOOK_EACH = 1000

interface ServedFolder {
  readonly path: string
  readonly has: (name: string) => boolean
  readonly serve: (name: string, headers: HttpRequest['headers']) => Promise<HttpReply>
}

/** Opens the folders. Throws `value_not_allowed` if one does not exist or has no `index.html`. */
export function staticPages(folders: readonly StaticFolder[]): StaticPages {
  const known = folders.map(openFolder)
  const [home] = known
  const fileAt = (path: string) => {
    for (const folder of known) {
      const below = folder.path === '/' ? '/' : `${folder.path}/`
      if (!path.startsWith(below)) continue
      const name = nameOf(path.slice(below.length))
      if (name !== undefined && folder.has(name)) return { folder, name }
    }
    return undefined
  }
  const reply: StaticPages['reply'] = ({ path, method, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    // Links of a page are relative, so that it also works below a path of a proxy; its path must end with a slash.
    const root = known.find(folder => folder.path === path && path !== '/')
    if (root) return Promise.resolve(redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`))
    const file = fileAt(path)
    if (file) return file.folder.serve(file.name, headers)
    if (path !== '/' || home === undefined || !headers['accept']?.includes('text/html')) return undefined
    return Promise.resolve({ status: 302, headers: { location: `${home.path.slice(1)}/`, vary: 'Accept' }, body: '' })
  }
  return { reply, has: path => fileAt(path) !== undefined }
}

const redirect = (location: string): HttpReply => ({ status: 308, headers: { location }, body: '' })

/** Returns undefined for text that cannot be decoded. */
function nameOf(text: string): string | undefined {
  try {
    return text === '' ? 'index.html' : decodePart(text)
  } catch {
    return undefined
  }
}

function openFolder({ path, folder, policy }: StaticFolder): ServedFolder {
  if (!path.startsWith('/'))
    throw unusableFolderError(`expected a path that begins with a slash, got ${JSON.stringify(path)}`)
  if (!existsSync(join(folder, 'index.html'))) throw unusableFolderError(missingReason(folder))
  let names = new Set(namesIn(folder))
  let looked = Number.NEGATIVE_INFINITY
  const has = (name: string): boolean => {
    if (names.has(name) || performance.now() - looked < LOOK_EACH) return names.has(name)
    looked = performance.now()
    // A build empties its folder first.
    if (existsSync(join(folder, 'index.html'))) names = new Set(namesIn(folder))
    return names.has(name)
  }
  const security = {
    'content-security-policy': Object.entries({ ...POLICY, ...policy })
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
  const tags = new Map<string, { readonly stamp: string; readonly tag: Promise<string> }>()
  const tagOf = async (name: string): Promise<string> => {
    const { mtimeMs, size } = await stat(join(folder, name))
    const stamp = `${mtimeMs} ${size}`
    const known = tags.get(name)
    const made = known?.stamp === stamp ? known : { stamp, tag: readFile(join(folder, name)).then(tagOfBytes) }
    tags.set(name, made)
    return made.tag
  }

  const serveFile: ServedFolder['serve'] = async (name, headers) => {
    const accepted = (headers['accept-encoding'] ?? '').split(',').map(one => one.trim())
    const [encoding, suffix = ''] =
      ENCODINGS.find(
        ([encoding, suffix]) => names.has(name + suffix) && accepted.some(one => isAccepted(one, encoding)),
      ) ?? []
    const etag = await tagOf(name)
    const kept = {
      ...security,
      etag,
      vary: 'Accept-Encoding',
      'cache-control': HASHED_NAME.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: kept, body: '' }
    const bytes = await readFile(join(folder, name + suffix))
    return {
      status: 200,
      headers: {
        ...kept,
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'content-length': String(bytes.length),
        ...(encoding && { 'content-encoding': encoding }),
      },
      body: singlePart(bytes),
      exact: true,
    }
  }
  const serve: ServedFolder['serve'] = (name, headers) =>
    serveFile(name, headers).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      // Drops names of removed files, which a page loaded earlier may still request; a compressed version may be gone alone.
      names = new Set([...names].filter(one => existsSync(join(folder, one))))
      if (names.has(name)) return serveFile(name, headers)
      throw new SyncError('route_not_found', `The file ${name} no longer exists. Reload the page that requests it.`)
    })
  return { path: bare(path) || '/', has, serve }
}

const missingReason = (folder: string): string =>
  existsSync(folder) ? `${folder} has no index.html. Build the pages first` : `${folder} cannot be read`

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return files.map(file => file.slice(join(folder, '/').length).replaceAll('\\', '/'))
  } catch (cause) {
    throw unusableFolderError(`${folder} cannot be read`, cause)
  }
}

/** True if the item of `Accept-Encoding` names the encoding, unless its weight is 0, as in `br;q=0`. */
const isAccepted = (accepted: string, encoding: string): boolean => {
  const [name, weight = ''] = accepted.split(';')
  return name?.trim().toLowerCase() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(weight)
}

/** A weak tag, since the same file is sent compressed and uncompressed. */
const tagOfBytes = (bytes: Buffer): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

async function* singlePart(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

const unusableFolderError = (why: string, cause?: unknown): SyncError =>
  new SyncError('value_not_allowed', `pages: ${why}.`, { cause })
