import type { Sdk } from '@godwit/model/node'
import type { AppliedWrite } from './scripted-backend.js'
import type { SourceName } from './sources.js'

/** An edit that an app made and a device stored. */
export interface LedgerEdit {
  readonly device: string
  readonly source: SourceName
  readonly operation: 'create' | 'update' | 'delete'
  readonly object: string
  /** A unique text; empty for a removal. */
  readonly note: string
  /** A later edit may have been merged into it before it was sent. */
  joined?: true
}

type Refusal = ReturnType<Sdk['refused']>[number]

export interface DeviceRefusals {
  readonly device: string
  readonly refused: readonly Refusal[]
}

/** The promises made to apps: each edit reaches the backend once, or is listed as refused. */
export class Ledger {
  readonly edits: LedgerEdit[] = []

  write(edit: LedgerEdit): void {
    this.edits.push(edit)
  }

  /** Marks the edit with this note as replaced by another. */
  join(device: string, note: unknown): void {
    const edit = this.edits.find(one => one.device === device && one.note === note)
    if (edit) edit.joined = true
  }

  /** Describes edits that were lost, repeated or changed. */
  broken(
    deeds: readonly AppliedWrite[],
    reported: readonly DeviceRefusals[],
    exists: (edit: LedgerEdit) => boolean,
  ): readonly string[] {
    return this.edits.flatMap(edit => {
      const isListed = reported.some(
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
  // An update merged into an unsent create is listed as that.
  if (edit.operation !== 'delete') return attributes['note'] === edit.note
  return operation === 'delete' && object === edit.object
}

const wordsOf = ({ device, source, operation, object, note }: LedgerEdit): string =>
  `${device}: ${operation} ${source} ${object} ${note}`
