import { expect, test } from '@jest/globals'
import type { Route } from './route.js'
import type { SchemasOf } from './route-schemas.js'
import { boolean, object, optional, type Schema, string } from './schema.js'

interface Message {
  readonly name: string
  readonly loud?: boolean
}

interface Group {
  readonly say: Route<{ body: Message; answer: Message }, '/say'>
}

const message: Schema<Message> = object<Message>({ name: string(), loud: optional(boolean) })

// Lines that must not compile. The type check fails if an expected error is missing.
export const wrong = {
  // @ts-expect-error a member is missing
  missing: object<Message>({ name: string() }),
  // @ts-expect-error a member is of another type
  mistyped: object<Message>({ name: boolean, loud: optional(boolean) }),
  // @ts-expect-error a member that may be left out is required
  required: object<Message>({ name: string(), loud: boolean }),
  // @ts-expect-error a member that is required may be left out
  optional: object<Message>({ name: optional(string()), loud: optional(boolean) }),
}

// @ts-expect-error the route has no schemas
export const withoutRoute: SchemasOf<Group> = {}
// @ts-expect-error the answer has no schema
export const withoutAnswer: SchemasOf<Group> = { say: { body: message, problems: [] } }
// @ts-expect-error the schema is that of another message
export const withAnother: SchemasOf<Group> = { say: { body: message, answer: string(), problems: [] } }
// @ts-expect-error the problems are not said
export const withoutProblems: SchemasOf<Group> = { say: { body: message, answer: message } }

test('a schema describes every member of its message, with its kind and optionality', () => {
  expect(message).toEqual({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, loud: { type: 'boolean' } },
  })
})
