import type { Sdk } from '@godwit/model/node'
import type { AppliedWrite } from './scripted-backend.js'
import type { SourceName } from './sources.js'

/** One edit that an app made and a device kept. */
export interface LedgerEdit {
  readonly device: string
  readonly source: SourceName
  readonly operation: 'create' | 'update' | 'delete'
  readonly object: string
  /** Of no other edit; empty for a removal. */
  readonly note: string
  /** A later edit may have joined it before it was sent. */
  joined?: true
}

type Refusal = ReturnType<Sdk['refused']>[number]

export interface DeviceRefusals {
  readonly device: string
  readonly refused: readonly Refusal[]
}

/** What apps were promised: each edit comes to the backend once, or is listed as refused. */
export class Ledger {
  readonly edits: LedgerEdit[] = []

  write(edit: LedgerEdit): void {
    this.edits.push(edit)
  }

  /** Another edit takes the place of the one with this note. */
  join(device: string, note: unknown): void {
    const edit = this.edits.find(one => one.device === device && one.note === note)
    if (edit) edit.joined = true
  }

  /** The edits that became of nothing, of too much, or of something else than was said; in words. */
  broken(
    deeds: readonly AppliedWrite[],
    told: readonly DeviceRefusals[],
    exists: (edit: LedgerEdit) => boolean,
  ): readonly string[] {
    return this.edits.flatMap(edit => {
      const isListed = told.some(
        ({ device, refused }) => device === edit.device && refused.some(one => isOf(one, edit)),
      )
      if (edit.operation === 'delete')
        return exists(edit) && !isListed ? [`${wordsOf(edit)}: it still exists, and no refusal was reported`] : []
      const done = deeds.filter(
        ({ source, attributes }) => source === edit.source && attributes?.['note'] === edit.note,
      )
      if (done.length > 1) return [`${wordsOf(edit)}: the backend did it ${done.length} times`]
      if (done.length === 0 && !isListed && !edit.joined)
        return [`${wordsOf(edit)}: the backend never applied it, and no refusal was reported`]
      return []
    })
  }
}

function isOf({ model, operation, object, attributes }: Refusal, edit: LedgerEdit): boolean {
  if (model !== edit.source) return false
  // An update that joined an unsent create is listed as that.
  if (edit.operation !== 'delete') return attributes['note'] === edit.note
  return operation === 'delete' && object === edit.object
}

const wordsOf = ({ device, source, operation, object, note }: LedgerEdit): string =>
  `${device}: ${operation} ${source} ${object} ${note}`
