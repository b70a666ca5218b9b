import type { ReadPosition } from '@godwit/store'

/** A device's position in a collection's history, which the device stores as opaque text. */
export interface PullToken {
  readonly from: ReadPosition
  /** True if the pass has ended, so that the next page starts one. */
  readonly over: boolean
  readonly pass: string
  readonly nonce: string
  /** True if the current pass replaces the device's rows. */
  readonly resync: boolean
  /** The number of inserts and deletes of the current pass so far. */
  readonly progress: number
  /** The digest of the source description that the device has. '': none. */
  readonly about: string
}

type TokenFields = readonly [
  epoch: string,
  head: number,
  mark: string,
  base: number,
  start: number,
  version: number,
  id: string,
  over: 0 | 1,
  pass: string,
  nonce: string,
  resync: 0 | 1,
  progress: number,
  about: string,
]

/** Returns the text of a token: its fields as JSON in base64url. `about` is the digest of the description that the device has. */
export function writeToken(
  { from, over, pass, nonce, resync, progress }: Omit<PullToken, 'about'>,
  about: string,
): string {
  const { epoch, head, mark, base, start, after } = from
  const fields: TokenFields = [
    epoch,
    head,
    mark,
    base,
    start,
    after.version,
    after.id,
    over ? 1 : 0,
    pass,
    nonce,
    resync ? 1 : 0,
    progress,
    about,
  ]
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/** Returns the token of a device that has everything up to a head, so that its next page starts a pass. */
export const tokenAt = ({ epoch, head, mark }: Pick<ReadPosition, 'epoch' | 'head' | 'mark'>, nonce: string): string =>
  writeToken(
    {
      from: { epoch, head, mark, base: head, start: 0, after: { version: head + 1, id: '' } },
      ...{ over: true, pass: '', nonce, resync: false, progress: 0 },
    },
    '',
  )

/** Parses a token; undefined for text that `writeToken` does not produce. */
export function readToken(text: string): PullToken | undefined {
  const fields = parse(text)
  if (!isFields(fields)) return undefined
  const [epoch, head, mark, base, start, version, id, over, pass, nonce, resync, progress, about] = fields
  return {
    from: { epoch, head, mark, base, start, after: { version, id } },
    over: over === 1,
    pass,
    nonce,
    resync: resync === 1,
    progress,
    about,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isFlag = (value: unknown): boolean => value === 0 || value === 1

const KINDS = [
  isText,
  isCount,
  isText,
  isCount,
  isCount,
  isCount,
  isText,
  isFlag,
  isText,
  isText,
  isFlag,
  isCount,
  isText,
]

const isFields = (value: unknown): value is TokenFields =>
  Array.isArray(value) && value.length === KINDS.length && KINDS.every((fits, index) => fits(value[index]))
