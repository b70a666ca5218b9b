import { type Outcome, PROTOCOL_VERSION } from '@godwit/protocol'
import type { Changes, DevicePage } from '@godwit/store'
import { queryError } from '../../backend/sources/query-error.js'
import type { SourceDescription } from '../../backend/sources/source-descriptions.js'
import type { Pass } from './pass.js'
import { writeToken } from './token.js'

/** The parts of a page. */
export interface PageParts {
  readonly changes: Changes
  readonly pass: Pass
  readonly description: SourceDescription
  /** The digest of the description that the device has. */
  readonly knownDigest: string
  readonly outcomePage: Pick<DevicePage['outcomePage'], 'outcomes' | 'more'>
  /** True if the rows end early because the rest is not available now, so that an immediate repeat is useless. */
  readonly isCut: boolean
  /** Since when the feed of the source is silent, ISO 8601. */
  readonly staleSince: string | undefined
}

/** Returns the page as JSON text. Stored attributes are JSON already and are inserted unchanged. */
export function writePage(parts: PageParts): string {
  const { changes, pass, description, knownDigest, outcomePage, isCut, staleSince } = parts
  const { head, rows } = changes
  const inserts: string[] = []
  const versions: string[] = []
  const deletes: string[] = []
  for (const { id, version, text } of rows) {
    const name = PLAIN.test(id) ? `"${id}"` : JSON.stringify(id)
    versions.push(`${name}:${version}`)
    if (text === null) deletes.push(name)
    else inserts.push(`${name}:${text}`)
  }
  const more = (!pass.ends && !isCut && pass.next.from.base !== head.version) || outcomePage.more
  const members = [
    `"version":${PROTOCOL_VERSION},"epoch":${JSON.stringify(head.epoch)}`,
    `"token":"${writeToken(pass.next, description.digest)}","more":${more}`,
    `"status":"${pass.resync ? 'resync' : 'ok'}","pass":${JSON.stringify(pass.pass)}`,
    `"count":${rows.length},"progress_count":${pass.progress},"total_count":${head.count}`,
  ]
  if (pass.ends) members.push(`"ends":true,"head":${head.version},"checksum":"${head.checksum}"`)
  if (inserts.length > 0) members.push(`"insert":{${inserts.join(',')}}`)
  if (rows.length > 0) members.push(`"versions":{${versions.join(',')}}`)
  if (deletes.length > 0) members.push(`"delete":[${deletes.join(',')}]`)
  if (outcomePage.outcomes.length > 0) members.push(...outcomeMembers(outcomePage.outcomes))
  const error = queryError(head)
  if (error !== undefined) members.push(`"source_error":${JSON.stringify(error)}`)
  if (staleSince !== undefined) members.push(`"stale_since":"${staleSince}"`)
  if (description.digest !== knownDigest) members.push(...descriptionMembers(description))
  return `{${members.join(',')}}`
}

const descriptionMembers = ({ metadata, schema }: SourceDescription): readonly string[] => [
  ...(metadata === undefined ? [] : [`"metadata":${metadata}`]),
  ...(schema === undefined ? [] : [`"schema":${schema}`]),
]

/** Matches text that JSON needs no escapes for, as most ids; several times faster than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Returns the outcomes, and their links again by id. */
function outcomeMembers(outcomes: readonly Outcome[]): readonly string[] {
  const links = outcomes.flatMap(({ object, link }) =>
    link === undefined || object === undefined ? [] : [`${JSON.stringify(object)}:${JSON.stringify(link)}`],
  )
  return [`"outcomes":${JSON.stringify(outcomes)}`, ...(links.length > 0 ? [`"links":{${links.join(',')}}`] : [])]
}
