import { type Outcome, PROTOCOL_VERSION } from '@godwit/protocol'
import type { Changes, DevicePage } from '@godwit/store'
import type { SourceDescription } from '../sources/source-descriptions.js'
import type { Pass } from './pass.js'
import { writeToken } from './token.js'

/** What a page of a pull is written from. */
export interface PageParts {
  readonly changes: Changes
  readonly pass: Pass
  readonly about: SourceDescription
  /** The digest of what the device was told about the source before. */
  readonly known: string
  readonly told: Pick<DevicePage['told'], 'outcomes' | 'more'>
  /** The rows end before what cannot be given now: to ask again at once is no use. */
  readonly isCut: boolean
}

/** The page as JSON text. Stored attributes are text already and are spliced in as they are. */
export function writePage(parts: PageParts): string {
  const { changes, pass, about, known, told, isCut } = parts
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
  const more = (!pass.ends && !isCut && pass.next.from.base !== head.version) || told.more
  const members = [
    `"version":${PROTOCOL_VERSION},"epoch":${JSON.stringify(head.epoch)}`,
    `"token":"${writeToken(pass.next, about.digest)}","more":${more}`,
    `"status":"${pass.resync ? 'resync' : 'ok'}","pass":${JSON.stringify(pass.pass)}`,
    `"count":${rows.length},"progress_count":${pass.progress},"total_count":${head.count}`,
  ]
  if (pass.ends) members.push(`"ends":true,"head":${head.version},"checksum":"${head.checksum}"`)
  if (inserts.length > 0) members.push(`"insert":{${inserts.join(',')}}`)
  if (rows.length > 0) members.push(`"versions":{${versions.join(',')}}`)
  if (deletes.length > 0) members.push(`"delete":[${deletes.join(',')}]`)
  if (told.outcomes.length > 0) members.push(...outcomeMembers(told.outcomes))
  if (head.sourceError !== undefined) members.push(`"source_error":${JSON.stringify(head.sourceError)}`)
  if (about.digest !== known) members.push(...aboutMembers(about))
  return `{${members.join(',')}}`
}

const aboutMembers = ({ metadata, schema }: SourceDescription): readonly string[] => [
  ...(metadata === undefined ? [] : [`"metadata":${metadata}`]),
  ...(schema === undefined ? [] : [`"schema":${schema}`]),
]

/** Text that JSON writes as it is: most ids, several times faster than asking JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/

/** The outcomes, and the links among them once more by id. */
function outcomeMembers(outcomes: readonly Outcome[]): readonly string[] {
  const links = outcomes.flatMap(({ object, link }) =>
    link === undefined || object === undefined ? [] : [`${JSON.stringify(object)}:${JSON.stringify(link)}`],
  )
  return [`"outcomes":${JSON.stringify(outcomes)}`, ...(links.length > 0 ? [`"links":{${links.join(',')}}`] : [])]
}
