import type { UndecidedMutation } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { Segments } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { List } from '../../parts/list.js'
import { useAction } from '../../parts/notices.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { useSession } from '../../session.js'
import { usePages } from '../../use-pages.js'
import { type DecisionEnd, decideEach, decisionText } from './decide-each.js'
import { MutationDrawer } from './mutation-drawer.js'
import { writeColumns } from './mutation-panel.js'
import { RefusedMutations } from './refused.js'

const PAGE = 200
/** Milliseconds until a reload, because devices, workers and other operators change the data. */
const MAX_AGE = 10_000
const STATES = [
  ['in_doubt', 'In doubt'],
  ['started', 'Started'],
  ['queued', 'Queued'],
  ['refused', 'Refused'],
] as const

const EMPTY_MESSAGES: { readonly [state: string]: string } = {
  in_doubt: 'The result of every backend call is known.',
  started: 'No backend call is in progress.',
  queued: 'No mutation waits for a worker.',
}

/** Mutations without an outcome, and refused ones. */
export default function Mutations(): ReactNode {
  const [{ state = 'in_doubt' }, setFilters] = useFilters()
  const states = (
    <div className="bar">
      <Segments
        label="State"
        value={state}
        options={STATES}
        onChoose={value => setFilters({ state: value, open: undefined })}
      />
    </div>
  )
  if (state !== 'refused') return <UndecidedMutations state={state} states={states} />
  return (
    <>
      <PageHead title="Mutations" says="Changes from devices that were not applied. These decisions are final." />
      {states}
      <RefusedMutations />
    </>
  )
}

/** Mutations without an outcome, in one state. */
function UndecidedMutations({ state, states }: { readonly state: string; readonly states: ReactNode }): ReactNode {
  const { may } = useSession()
  const [open, close] = useOpenItem()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const list = usePages<UndecidedMutation>(
    `mutations ${state}`,
    async (after, signal) => {
      const query = { state: state as UndecidedMutation['state'], ...(after && { after }), limit: PAGE, signal }
      const rows = await admin.operations.undecided(query)
      return { rows, next: rows.length === PAGE ? rows.at(-1)?.id : undefined }
    },
    { every: MAX_AGE },
  )
  const mayDecide = state === 'in_doubt' && may('operations.retry')
  const some = list.rows.filter(({ id }) => chosen.has(id))
  const toggle = (id: string): void =>
    setChosen(before => new Set(before.has(id) ? [...before].filter(one => one !== id) : [...before, id]))
  const done = (): void => {
    setChosen(new Set())
    list.reload()
  }
  return (
    <>
      <PageHead
        title="Mutations"
        says="Changes from devices that have no outcome yet. In doubt: the backend was called, but its result is unknown."
      >
        {mayDecide && some.length > 0 && <DecideSelection some={some} done={done} />}
      </PageHead>
      {states}
      <List
        label="Mutations"
        columns={columnsOf(id => linkTo('mutations', { state, open: id }), mayDecide ? { chosen, toggle } : undefined)}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="check" title="No mutations" says={EMPTY_MESSAGES[state]} />}
      />
      {open !== undefined && (
        <MutationDrawer
          key={open}
          id={open}
          close={close}
          decided={() => {
            close()
            done()
          }}
        />
      )}
    </>
  )
}

function DecideSelection({
  some,
  done,
}: {
  readonly some: readonly UndecidedMutation[]
  readonly done: () => void
}): ReactNode {
  const confirm = useConfirm()
  const perform = useAction()
  const count = `${some.length} ${some.length === 1 ? 'mutation' : 'mutations'}`
  const summaryOf = (did: string) => (end: DecisionEnd) => decisionText(end, did)
  const retry = async (): Promise<void> => {
    const says =
      'Each backend is called again with the same idempotency key. A backend that ignores the key may apply the change twice.'
    if (!(await confirm({ title: `Retry ${count}?`, says, undo: 'never', action: `Retry ${count}` }))) return
    await perform(() => decideEach(some, id => admin.operations.retry(id)), summaryOf('retried'))
    done()
  }
  const discard = async (): Promise<void> => {
    const says =
      'The devices roll the changes back, with all changes that depend on them. A backend may have applied them; the next query shows whether it did.'
    if (!(await confirm({ title: `Discard ${count}?`, says, undo: 'never', action: `Discard ${count}`, danger: true })))
      return
    await perform(() => decideEach(some, id => admin.operations.discard(id)), summaryOf('discarded'))
    done()
  }
  return (
    <>
      <button type="button" className="button primary" onClick={retry}>
        Retry {count}…
      </button>
      <button type="button" className="button" onClick={discard}>
        Discard…
      </button>
    </>
  )
}

interface MutationSelection {
  readonly chosen: ReadonlySet<string>
  readonly toggle: (id: string) => void
}

const columnsOf = (
  link: (id: string) => string,
  choosing: MutationSelection | undefined,
): readonly Column<UndecidedMutation>[] => [
  ...(choosing
    ? [
        {
          title: 'Select',
          width: '68px',
          cell: ({ id, source, object }: UndecidedMutation) => (
            <input
              type="checkbox"
              aria-label={`${source} ${object}`}
              checked={choosing.chosen.has(id)}
              onChange={() => choosing.toggle(id)}
            />
          ),
        },
      ]
    : []),
  ...writeColumns(link),
  { title: 'Attempts', width: '92px', end: true, wideOnly: true, cell: ({ attempts }) => number(attempts) },
  {
    title: 'Reason',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ error }) => <span title={error?.message}>{error?.message ?? '–'}</span>,
  },
]
