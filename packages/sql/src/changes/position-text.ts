import { cursorGone } from '@godwit/source'
import type { Mark, Position } from './step.js'

/** Writes a position as the cursor of a feed. */
export const positionText = (position: Position): string => JSON.stringify(position)

/** Reads a cursor. Throws `cursor_gone` for one of another format. */
export function parsePosition(cursor: string): Position {
  try {
    const position = JSON.parse(cursor) as Partial<Position> | null
    if (isMark(position) && typeof position.skipped === 'string' && typeof position.tables === 'object')
      return position as Position
  } catch {}
  throw cursorGone('it was written by another version of @godwit/sql')
}

/** Writes a mark as a proof. */
export const proofText = ({ n, mark }: Mark): string => `${n} ${mark}`

/** Reads proofs; one of another format proves nothing. */
export const parseProofs = (texts: readonly string[]): readonly Mark[] =>
  texts.map(text => {
    const [n = '', mark = ''] = text.split(' ')
    if (!/^\d+$/.test(n) || mark === '') throw cursorGone('a proof was written by another version of @godwit/sql')
    return { n: Number(n), mark }
  })

const isMark = (value: Partial<Position> | null): value is Mark & Partial<Position> =>
  typeof value === 'object' && value !== null && Number.isSafeInteger(value.n) && typeof value.mark === 'string'
