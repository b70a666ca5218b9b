import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { SyncError, USER_ROLES, type UserCreate, type UserRole } from '@godwit/protocol'
import type { CommandHost } from './command.js'
import { csvRows } from './csv.js'

interface UserLine {
  readonly number: number
  readonly members: { readonly [name: string]: unknown }
}

/**
 * Returns the users of a file, all of them validated first: CSV with column names in its first line, or one JSON object per line. `-` is standard
 * input.
 */
export async function usersOf(path: string, { stdin }: Pick<CommandHost, 'stdin'>): Promise<readonly UserCreate[]> {
  const content = (path === '-' ? await text(stdin) : await read(path)).replace(/^\uFEFF/, '')
  const lines = content.trimStart().startsWith('{') ? linesOfJson(content, path) : linesOfCsv(content, path)
  const users = lines.map(line => userOf(line, path))
  const places = new Map<unknown, number>()
  for (const [index, { attributes }] of users.entries()) {
    const { number } = lines[index] as UserLine
    const before = places.get(attributes['login'])
    if (before !== undefined)
      throw lineError(
        path,
        number,
        `expected each login once, got ${JSON.stringify(attributes['login'])} as on line ${before}`,
      )
    places.set(attributes['login'], number)
  }
  return users
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: Error) => {
    throw new SyncError('value_not_allowed', `cannot read ${path}: ${cause.message}`, { cause })
  })
}

function linesOfJson(content: string, path: string): readonly UserLine[] {
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const number = index + 1
    const members = jsonValue(line, path, number)
    if (typeof members !== 'object' || members === null || Array.isArray(members))
      throw lineError(path, number, 'expected a JSON object {"login": …, "password": …}')
    return [{ number, members: members as UserLine['members'] }]
  })
}

function jsonValue(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw lineError(path, number, `expected a JSON object, got ${(cause as Error).message}`)
  }
}

/** An empty field means that the user does not have the attribute. */
function linesOfCsv(content: string, path: string): readonly UserLine[] {
  const [head, ...rows] = csvRows(content)
  if (!head?.fields.includes('login'))
    throw lineError(path, 1, 'expected a line that names the columns, login among them, or JSON objects')
  return rows.map(({ number, fields }) => {
    if (fields.length !== head.fields.length)
      throw lineError(path, number, `expected ${head.fields.length} fields, got ${fields.length}`)
    const members = head.fields.map((name, at) => [name, fields[at]] as const).filter(([, field]) => field !== '')
    return { number, members: Object.fromEntries(members) }
  })
}

function userOf({ number, members }: UserLine, path: string): UserCreate {
  const { role, password_hash: hash, ...attributes } = members
  if (typeof attributes['login'] !== 'string' || attributes['login'] === '')
    throw lineError(path, number, `expected a login, got ${JSON.stringify(attributes['login']) ?? 'none'}`)
  if (role !== undefined && !USER_ROLES.includes(role as UserRole))
    throw lineError(path, number, `expected a role of ${USER_ROLES.join(', ')}, got ${JSON.stringify(role)}`)
  if (hash !== undefined && typeof hash !== 'string')
    throw lineError(path, number, 'expected a password_hash that is text')
  return {
    attributes: attributes as UserCreate['attributes'],
    ...(role !== undefined && { role: role as UserRole }),
    ...(hash !== undefined && { password_hash: hash }),
  }
}

const lineError = (path: string, number: number, what: string): SyncError =>
  new SyncError('body_invalid', `${path}, line ${number}: ${what}. Nothing was sent.`)
