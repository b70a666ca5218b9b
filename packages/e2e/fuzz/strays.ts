import type { ApiDocument, ApiOperation } from './document.js'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

/** What the document does not have: each path by every other method, and paths that lead nowhere. */
export function straysOf({ operations }: ApiDocument): readonly ApiOperation[] {
  const paths = [...new Set(operations.map(({ path }) => path))]
  const others = paths.flatMap(path => {
    const has = operations.filter(operation => covers(operation.path, path)).map(({ method }) => method)
    return METHODS.filter(method => !has.includes(method)).map(method => stray(method, path, 405, 'method_not_allowed'))
  })
  const nowhere = [
    '/',
    '/rc/v1/nothing',
    '/rc/v2/users',
    '/rc/v1/users/{user_id}/nothing',
    '/app/v1/{source_name}/{doc}/x',
  ]
  return [...others, ...nowhere.map(path => stray('GET', path, 404, 'route_not_found'))]
}

/** Whether a request of the one path may be one of the other: a user may be called as a route is. */
function covers(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || part.startsWith('{'))
}

const stray = (method: string, path: string, status: number, code: string): ApiOperation => ({
  method,
  path,
  operationId: `${method} ${path}`,
  'x-roles': ['open'],
  responses: { [status]: { content: { 'application/problem+json': { schema: problemOf(code) } } } },
})

const problemOf = (code: string) => ({ $ref: '#/components/schemas/Problem', properties: { code: { enum: [code] } } })
