import type { Schemas, ValueSchema } from './values.js'

export interface Content {
  readonly [type: string]: { readonly schema: ValueSchema }
}

/** An operation of the served document, with where it stands. */
export interface ApiOperation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly 'x-roles': readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly schema: ValueSchema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: { readonly [status: string]: { readonly content?: Content } }
}

export interface ApiDocument {
  readonly operations: readonly ApiOperation[]
  readonly schemas: Schemas
}

interface OpenApiDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Omit<ApiOperation, 'method' | 'path'> } }
  readonly components: { readonly schemas: Schemas }
}

/** The document as the server serves it. */
export async function fetchDocument(url: string): Promise<ApiDocument> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  return { operations, schemas: components.schemas }
}
