import { createHash } from 'node:crypto'
import { JSON_TYPE } from '../base/text-reply.js'
import { bare } from './bare.js'
import { gzipForCache } from './compress.js'
import { docsPage } from './docs/docs-page.js'
import { errorsPage } from './docs/errors-page.js'
import { SCRIPT } from './docs/script.js'
import { FONT, FONT_STYLE, STYLE } from './docs/style.js'
import { matchesEtag } from './etag.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { once } from './once.js'
import { type OpenApi, openApiDocument } from './openapi/document.js'
import type { StaticPages } from './static.js'

interface CachedPage {
  readonly type: string
  readonly text: string
  /** A weak tag, since the same page is sent compressed and uncompressed. */
  readonly tag: string
  readonly zip: () => Promise<Buffer>
}

const HTML_TYPE = 'text/html; charset=utf-8'
const CSS_TYPE = 'text/css; charset=utf-8'
const pages: Record<string, () => CachedPage> = {
  '/openapi.json': once(() => cachedPage(JSON_TYPE, JSON.stringify(documentOf()))),
  '/docs': once(() => cachedPage(HTML_TYPE, docsPage(documentOf()))),
  '/docs/errors': once(() => cachedPage(HTML_TYPE, errorsPage())),
  '/docs/page.css': once(() => cachedPage(CSS_TYPE, STYLE)),
  '/docs/page.js': once(() => cachedPage('text/javascript; charset=utf-8', SCRIPT)),
}
const styleWithFont = once(() => cachedPage(CSS_TYPE, FONT_STYLE + STYLE))
const documentOf: () => OpenApi = once(openApiDocument)

/** Returns the server's public pages about itself; undefined for any other path. */
export function pageReply(
  { path, method, headers }: HttpRequest,
  files: Pick<StaticPages, 'has'>,
): HttpReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  // Relative, so that it also works below a path of a proxy.
  if (path === '/' && headers['accept']?.includes('text/html') === true)
    // Someone opened the server's address in a browser.
    return { status: 302, headers: { location: 'docs', vary: 'Accept' }, body: '' }
  const name = bare(path)
  if (!Object.hasOwn(pages, name)) return undefined
  if (name !== path) return { status: 308, headers: { location: `..${name.slice(name.lastIndexOf('/'))}` }, body: '' }
  const cached = path === '/docs/page.css' && files.has(FONT) ? styleWithFont : (pages[path] as () => CachedPage)
  const { type, text, tag, zip } = cached()
  const known = { etag: tag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' }
  if (matchesEtag(headers['if-none-match'], tag)) return { status: 304, headers: known, body: '' }
  return { status: 200, headers: { ...known, 'content-type': type }, body: text, zip }
}

const cachedPage = (type: string, text: string): CachedPage => ({
  type,
  text,
  zip: once(() => gzipForCache(text)),
  tag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})
