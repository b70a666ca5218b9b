import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import type { CommandHost } from './command.js'

/** The items in a file of objects: entries of a map, or lines; `expected` describes their form. */
export interface FileKind<Item> {
  readonly expected: string
  /** Parses a line of NDJSON; undefined if it is invalid. */
  readonly ofLine: (value: unknown) => Item | undefined
  /** Parses a whole JSON file; undefined if it is invalid. */
  readonly ofWhole: (value: unknown) => readonly Item[] | undefined
}

export const OBJECTS: FileKind<readonly [ObjectId, Attributes]> = {
  expected: '{"id": …, attributes} or ["id", {attributes}] on each line, or one JSON object {id: {attributes}}',
  ofLine: value => {
    if (Array.isArray(value)) return isId(value[0]) && isMap(value[1]) ? [String(value[0]), value[1]] : undefined
    if (!isMap(value) || !isId(value['id'])) return undefined
    const { id, ...attributes } = value
    return [String(id), attributes]
  },
  ofWhole: value =>
    isMap(value) && Object.values(value).every(isMap) ? (Object.entries(value) as [string, Attributes][]) : undefined,
}

export const IDS: FileKind<ObjectId> = {
  expected: '"id" or {"id": …} on each line, or one JSON array of ids',
  ofLine: value => (isId(value) ? String(value) : isMap(value) && isId(value['id']) ? String(value['id']) : undefined),
  ofWhole: value => (Array.isArray(value) && value.every(isId) ? value.map(String) : undefined),
}

const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value)
const isMap = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Yields the items of a file, of lines or of one JSON value: its first line shows which. `-` is standard input. */
export async function* itemsOf<Item>(
  path: string,
  kind: FileKind<Item>,
  { stdin }: Pick<CommandHost, 'stdin'>,
): AsyncGenerator<Item> {
  if (path === '-') return yield* itemsIn(createInterface({ input: stdin }), '-', kind)
  const file = await openFile(path)
  try {
    yield* itemsIn(file.readLines({ autoClose: false }), path, kind)
  } finally {
    await file.close()
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const unreadable = (reason: string, cause?: unknown): SyncError =>
    new SyncError('value_not_allowed', `cannot read ${path}: ${reason}`, { cause })
  const file = await open(path).catch((cause: Error) => {
    throw unreadable(cause.message, cause)
  })
  if (!(await file.stat()).isDirectory()) return file
  await file.close()
  throw unreadable('expected a file of objects, got a folder.')
}

/** A first line that is one item has others behind it; else it begins a JSON value, which is read whole. */
async function* itemsIn<Item>(input: AsyncIterable<string>, path: string, kind: FileKind<Item>): AsyncGenerator<Item> {
  let number = 0
  let isFirst = true
  let whole: string | undefined
  for await (const line of input) {
    number++
    if (whole !== undefined) whole += `\n${line}`
    else if (line.trim() === '') continue
    else if (isFirst && beginsWhole(line, kind)) whole = '\n'.repeat(number - 1) + line
    else yield itemOfLine(line, `${path}, line ${number}`, kind)
    isFirst = false
  }
  if (whole !== undefined) yield* itemsOfWhole(whole, path, kind)
}

function beginsWhole<Item>(line: string, { ofLine, ofWhole }: FileKind<Item>): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return ofLine(value) === undefined && ofWhole(value) !== undefined
  } catch {
    return true
  }
}

function itemsOfWhole<Item>(json: string, path: string, { ofWhole, expected }: FileKind<Item>): readonly Item[] {
  const items = ofWhole(jsonValue(json, path))
  if (items === undefined) throw new SyncError('body_invalid', `${path}: expected ${expected}.`)
  return items
}

function itemOfLine<Item>(line: string, where: string, { ofLine, expected }: FileKind<Item>): Item {
  const item = ofLine(jsonValue(line, where))
  if (item === undefined)
    throw new SyncError('body_invalid', `${where}: expected ${expected}; got ${line.slice(0, 80)}`)
  return item
}

function jsonValue(json: string, where: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new SyncError('malformed_json', `${where}: ${(cause as Error).message}`, { cause })
  }
}
