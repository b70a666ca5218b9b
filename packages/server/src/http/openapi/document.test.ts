import { mayCall, type RouteLine, routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { compile } from '@godwit/protocol/validate'
import { expect, test } from '@jest/globals'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { KnownOperation } from '../docs/operation-html.js'
import { sampleOf } from '../docs/sample.js'
import { openApiDocument } from './document.js'

const document = openApiDocument()
const table = Object.entries(routes).flatMap(([group, lines]) =>
  Object.entries<RouteLine>(lines).map(([name, line]) => [`${group}.${name}`, line] as const),
)
const operationFor = ({ method, path }: RouteLine): KnownOperation =>
  document.paths[path.replaceAll('<', '{').replaceAll('>', '}')]?.[method.toLowerCase()] as KnownOperation

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
    valid: true,
  })
  expect(validator.version).toBe('3.1')
})

test('a public linter finds nothing in it, with its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test('it has every route of the table, and nothing else', () => {
  const all = Object.values(document.paths).flatMap(methods => Object.values(methods) as KnownOperation[])
  expect(all.map(({ operationId }) => operationId).sort()).toEqual(table.map(([name]) => name).sort())
})

test.each(table)('%s documents its roles, parameters, answer and problems', (name, line) => {
  const { operationId, description, responses, parameters = [], requestBody, ...operation } = operationFor(line)
  expect(operationId).toBe(name)
  expect(description).not.toBe('')
  expect(operation['x-roles']).toEqual(line.roles)
  expect(operation['security']).toHaveLength(
    line.roles.includes('open') ? 0 : line.roles.includes('device') ? 2 : line.roles.length,
  )
  const inPath = parameters.filter(one => one.in === 'path').map(one => one.name)
  expect(inPath).toEqual([...line.path.matchAll(/<([^>]+)>/g)].map(([, parameter]) => parameter))
  expect(parameters.every(one => one.description)).toBe(true)
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '500', '503']))
  expect(Object.keys(responses).includes('401')).toBe(!mayCall('open', line.roles) || /\.(login|signIn)$/.test(name))
  expect(requestBody?.required === true).toBe(requestBody !== undefined && !line.bodyOptional && !line.bytes)
})

test('every message and every member has a description', () => {
  type Described = { readonly description?: string; readonly properties?: { readonly [name: string]: Described } }
  const mute = Object.entries(document.components.schemas as Record<string, Described>).flatMap(([name, schema]) => [
    ...(schema.description ? [] : [name]),
    ...Object.entries(schema.properties ?? {}).flatMap(([member, { description }]) =>
      description ? [] : [`${name}.${member}`],
    ),
  ])
  expect(mute).toEqual([])
})

test('a message is defined once and referenced elsewhere', () => {
  expect(operationFor(routes.users.ping).requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/Ping',
  })
  expect(document.components.schemas['PingAnswer']).toMatchObject({
    properties: { skipped: { type: 'array', items: { $ref: '#/components/schemas/PingSkipped' } } },
  })
})

test('a document is JSON or text, a login also the bare token, a file is bytes, events are a stream', () => {
  const types = (line: RouteLine) => Object.keys(operationFor(line).responses['200']?.content ?? {})
  expect(types(routes.store.read)).toEqual(['application/json', 'text/plain'])
  expect(types(routes.system.login)).toEqual(['application/json', 'text/plain'])
  expect(types(routes.device.events)).toEqual(['text/event-stream'])
  expect(types(routes.device.readBlob)).toEqual(['application/octet-stream'])
  expect(types(routes.users.get)).toEqual(['application/json'])
})

test('the problems of a route are listed by status', () => {
  const { responses } = operationFor(routes.device.push)
  expect(responses['409']).toMatchObject({
    description: '`epoch_changed`, `mutation_gap`, `client_forked`, `blob_missing`',
    content: {
      'application/problem+json': {
        schema: { properties: { code: { enum: ['epoch_changed', 'mutation_gap', 'client_forked', 'blob_missing'] } } },
      },
    },
  })
})

test.each(table.filter(([name, line]) => bodyOf(name) && !line.bytes))(
  'the sample of %s fits its schema',
  (name, line) => {
    const [content] = Object.values(operationFor(line).requestBody?.content ?? {})
    const sample = sampleOf(content?.schema ?? {}, document.components.schemas)
    expect(() => compile(bodyOf(name) as never)(sample)).not.toThrow()
  },
)

function bodyOf(name: string): object | undefined {
  const [group = '', route = ''] = name.split('.')
  return (schemas as Record<string, Record<string, { readonly body?: object }>>)[group]?.[route]?.body
}
