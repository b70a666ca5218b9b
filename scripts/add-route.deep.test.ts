import { afterAll, expect, test } from '@jest/globals'
import { ChangedCopy, type Edits } from './changed-copy.js'

/** The edits that `ARCHITECTURE.md` lists for a new route. */
const EDITS: Edits = {
  'packages/protocol/src/routes/users.ts': [
    [
      'import type { User, UserCreate,',
      "import type { UserNote, UserNoted, UserNoteOptions } from '../admin/user.js'\n",
    ],
    [
      '  /** Returns a user. */',
      `  /** Notes a text with a user. */
  note: route<{ query: UserNoteOptions; body: UserNote; answer: UserNoted }>()({
    method: 'PUT',
    path: '/rc/v1/users/<user_id>/note',
    roles: ['operator'],
  }),
`,
    ],
  ],
  'packages/protocol/src/admin/user.ts': [
    [
      '/** Selects users. */',
      `/** Where the note goes. */
export interface UserNoteOptions {
  /** The attribute that has it. Default: \`note\`. */
  readonly attribute?: string
}

/** A note. */
export interface UserNote {
  /** Its text. */
  readonly text: string
}

/** The note was made. */
export interface UserNoted {
  /** The attribute that has it. */
  readonly attribute: string
}

export const userNoteOptionsSchema: Schema<UserNoteOptions> = object<UserNoteOptions>({ attribute: optional(string()) })
export const userNoteSchema: Schema<UserNote> = object<UserNote>({ text: string() })
export const userNotedSchema: Schema<UserNoted> = object<UserNoted>({ attribute: string() })

`,
    ],
  ],
  'packages/protocol/src/index.ts': [
    [
      'export type {\n  AnyBackendCall',
      "export type { UserNote, UserNoted, UserNoteOptions } from './admin/user.js'\n",
    ],
  ],
  'packages/protocol/src/schemas/users.ts': [
    [
      'import type { SchemasOf }',
      "import { userNotedSchema, userNoteOptionsSchema, userNoteSchema } from '../admin/user.js'\n",
    ],
    [
      '  get: {',
      '  note: { query: userNoteOptionsSchema, body: userNoteSchema, answer: userNotedSchema, problems: ["user_not_found"] },\n',
    ],
  ],
  'packages/server/src/http/handlers/users.ts': [
    [
      '  get: (engine',
      `  note: {
    handle: async (engine, { parameters: { user_id }, query: { attribute = 'note' }, body: { text } }) => {
      await updateUser(engine, user_id, { attributes: { [attribute]: text } }, { keep: undefined })
      return { attribute }
    },
    audit: auditCall(({ query: { attribute = 'note' } }) => ({ attribute })),
  },
`,
    ],
  ],
  'packages/admin-client/src/users.ts': [
    [
      '    get: (user',
      `    note: (user: string, text: string, { attribute, ...options }: { readonly attribute?: string } & CallOptions = {}) =>
      call(connection, routes.users.note, {
        parameters: { user_id: user },
        query: attribute === undefined ? {} : { attribute },
        body: { text },
        ...options,
      }),

`,
    ],
  ],
}

const TEST = `import { expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

test('a note is made, audited, documented, and refused for an unknown user', async () => {
  const on = openServer()
  const headers = await on.as()
  const users = { attributes: { login: 'ada', password: 'a long one' } }
  await on.call('POST', '/rc/v1/users', { headers, body: users })
  const note = (user: string) =>
    on.call('PUT', \`/rc/v1/users/\${user}/note?attribute=team\`, { headers, body: { text: 'north' } })
  expect(await json(await note('ada'))).toEqual({ attribute: 'team' })
  const user = await json<{ attributes: object }>(await on.call('GET', '/rc/v1/users/ada', { headers }))
  expect(user.attributes).toMatchObject({ team: 'north' })
  expect(await json(await note('nobody'))).toMatchObject({ code: 'user_not_found' })
  const entries = await json<readonly object[]>(await on.call('GET', '/rc/v1/audit', { headers }))
  expect(entries).toContainEqual(expect.objectContaining({ action: 'users.note', result: 'user_not_found' }))
  const document = await json<{ paths: Record<string, { put: object }> }>(await on.call('GET', '/openapi.json'))
  expect(document.paths['/rc/v1/users/{user_id}/note']?.put).toMatchObject({
    summary: 'Notes a text with a user',
    'x-admin-client': 'admin.users.note(user, text, { attribute })',
  })
  await on.server.close()
})
`

const CHECKS = [
  'packages/server/src/accounts/users/note.test.ts',
  'packages/server/src/http/audit-rules.test.ts',
  'packages/server/src/http/access-matrix.test.ts',
  'packages/server/src/http/openapi/document.test.ts',
  'packages/e2e/journeys/admin-routes.test.ts',
  'scripts/wire-pins.test.ts',
]

const copy = new ChangedCopy()
afterAll(() => copy.remove())

test('a route over what a store can do already touches eight files', () => {
  copy.change(EDITS, { 'packages/server/src/accounts/users/note.test.ts': TEST })
  copy.run(process.execPath, 'scripts/wire-pins.ts')
  copy.run('node_modules/.bin/biome', 'format', 'packages/protocol/src/wire.pins.json')
  copy.checkTypes('packages/server', 'packages/admin-client')
  copy.test(...CHECKS)
  expect(copy.touched()).toHaveLength(8)
}, 900_000)
