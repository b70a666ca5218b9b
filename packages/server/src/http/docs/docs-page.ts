import type { OpenApi } from '../openapi/document.js'
import { escapeHtml, list, sentence, shell } from './html.js'
import { type DocumentedOperation, fieldsHtml, type KnownOperation, operationHtml } from './operation-html.js'
import { type AnySchema, kindOf } from './schema-text.js'

/**
 * Returns the whole API on one page, generated from its OpenAPI document. It is readable without the script, which only searches and opens entries.
 */
export function docsPage({ info, tags, paths, components }: OpenApi): string {
  const schemas = components.schemas as { readonly [name: string]: AnySchema }
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): DocumentedOperation => ({ method, path, operation: operation as KnownOperation, schemas }),
    ),
  )
  const groups = tags.map(tag => ({
    ...tag,
    places: places.filter(({ operation }) => groupOf(operation) === tag.name),
  }))
  const sections = groups.map(({ name, description, 'x-displayName': title, places }) => {
    return `<section class="group" id="${name}"><h2>${escapeHtml(title)}</h2><p>${sentence(description)}</p>${places.map(operationHtml).join('')}</section>`
  })
  return shell({
    title: `${info.title} ${info.version}: API`,
    base: 'docs/',
    header: `<header class="top"><h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<form class="search" role="search"><input type="search" id="search" aria-label="Find routes" placeholder="Find routes  ( / )" autocomplete="off" spellcheck="false"><output id="found" for="search"></output></form>
</header>`,
    main: `<div class="page"><nav aria-label="Routes">${groups.map(navHtml).join('')}<p><a href="#messages">Messages</a></p></nav>
<main id="main">${introHtml(info.description)}${sections.join('')}${messagesHtml(schemas)}</main></div>`,
  })
}

const groupOf = ({ operationId }: KnownOperation): string => operationId.split('.')[0] ?? ''

type DocsGroup = OpenApi['tags'][number] & { readonly places: readonly DocumentedOperation[] }

function navHtml({ name, 'x-displayName': title, places }: DocsGroup): string {
  const items = places.map(
    ({ operation: { operationId } }) =>
      `<li data-for="${operationId}"><a href="#${operationId}">${operationId.split('.')[1]}</a></li>`,
  )
  return `<p><a href="#${name}">${escapeHtml(title)}</a></p><ul>${items.join('')}</ul>`
}

const introHtml = (
  about: string,
): string => `<section class="intro"><p>${sentence(about)} Every code is in the <a href="docs/errors">list of errors</a>;
a machine-readable version of this page is <a href="openapi.json">openapi.json</a>.</p>${list(AUTHENTICATION_METHODS)}</section>`

const AUTHENTICATION_METHODS = [
  'An API user logs in with `POST /rc/v1/system/login` and sends the token in `X-Sync-API-TOKEN`. A `reader` may read; an `operator` also writes what keeps a server running; a `plugin` is a backend and writes objects; an `admin` may do all of that, and users.',
  'A `device` logs in with `POST /rc/v1/app/login` and sends the session as `Authorization: Bearer`, or as the cookie; its client goes into `X-Sync-CLIENT-ID`.',
  'Request and response bodies are JSON in UTF-8; times are ISO 8601 in UTC. Unknown members of a body are ignored, except where settings are written.',
]

function messagesHtml(schemas: { readonly [name: string]: AnySchema }): string {
  const messages = Object.entries(schemas).map(([name, schema]) => {
    const kind = schema.properties ? '' : `<p class="type">${kindOf(schema)}</p>`
    return `<article class="message" id="${name}"><h3>${name}</h3><p>${sentence(schema.description ?? '')}</p>${kind}${fieldsHtml(schema)}</article>`
  })
  return `<section id="messages"><h2>Messages</h2>${messages.join('')}</section>`
}
