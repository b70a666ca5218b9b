import type { RetryResult, SentMutation } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import type { Tone } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { number } from '../../parts/format.js'
import { useAction } from '../../parts/notices.js'
import { QueryContent } from '../../parts/states.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Mono, MutationPanel, titleOf } from './mutation-panel.js'
import { SettleMutation } from './settle.js'

interface MutationDrawerProps {
  readonly id: string
  readonly close: () => void
  /** Called after the mutation was decided, to reload the list. */
  readonly decided: () => void
}

/** Milliseconds until a reload, because another operator may decide the mutation. */
const MAX_AGE = 5000

/** Details of one mutation: its content, the backend's response, and the possible decisions. */
export function MutationDrawer({ id, close, decided }: MutationDrawerProps): ReactNode {
  const { may } = useSession()
  const mutation = useQuery(`mutation ${id}`, options => admin.operations.mutation(id, options), {
    every: MAX_AGE,
  })
  return (
    <Drawer title={titleOf(mutation.data)} close={close}>
      <QueryContent query={mutation} what="the mutation">
        {one => (
          <MutationPanel
            mutation={one}
            error={one.error}
            state={{ tone: TONES[one.state], text: one.outcome?.status ?? one.state }}
            facts={factsOf(one)}
            buttons={
              may('operations.retry') &&
              one.state === 'in_doubt' && <Decisions mutation={one} decided={decided} look={mutation.reload} />
            }
          >
            {may('operations.settle') && one.state === 'in_doubt' && (
              <SettleMutation mutation={one} decided={decided} />
            )}
          </MutationPanel>
        )}
      </QueryContent>
    </Drawer>
  )
}

const TONES: { readonly [State in SentMutation['state']]: Tone } = {
  in_doubt: 'bad',
  decided: 'good',
  queued: 'warn',
  started: 'warn',
}

const factsOf = ({ attempts, owners, key }: SentMutation) =>
  [
    ['Backend calls', number(attempts)],
    ...(owners.length > 0 ? [['Belongs to', <Mono key="owners">{owners.join(', ')}</Mono>] as const] : []),
    ['Idempotency key', <Mono key="key">{key}</Mono>],
  ] as const

/** Describes the result of a retry. */
function retryText({ status, error }: RetryResult): string {
  if (status === 'queued') return 'A worker will retry it.'
  if (status === 'applied') return 'Retried and applied.'
  const end = status === 'in_doubt' ? 'is still in doubt' : `has the outcome ${status.replaceAll('_', ' ')}`
  return `The mutation was retried and ${end}${error ? `. ${error.message}` : '.'}`
}

interface DecisionsProps {
  readonly mutation: SentMutation
  readonly decided: () => void
  /** Called if the decision failed, because another operator may have decided meanwhile. */
  readonly look: () => void
}

function Decisions({ mutation: { id, source, object }, decided, look }: DecisionsProps): ReactNode {
  const confirm = useConfirm()
  const perform = useAction()
  const retry = async (): Promise<void> => {
    const says =
      'The backend is called again with the same idempotency key. A backend that ignores the key may apply the change twice.'
    if (!(await confirm({ title: `Retry ${source} ${object}?`, says, undo: 'never', action: 'Retry' }))) return
    let end: RetryResult['status'] = 'in_doubt'
    const act = async (): Promise<RetryResult> => {
      const answer = await admin.operations.retry(id)
      end = answer.status
      return answer
    }
    if ((await perform(act, retryText)) && end !== 'in_doubt') decided()
    else look()
  }
  const discard = async (): Promise<void> => {
    const says =
      'The device rolls the change back, with all changes that depend on it. The backend may have applied it; the next query shows whether it did.'
    if (
      !(await confirm({
        title: `Discard ${source} ${object}?`,
        says,
        undo: 'never',
        action: 'Discard',
        danger: true,
      }))
    )
      return
    if (await perform(() => admin.operations.discard(id), 'Discarded the mutation.')) decided()
    else look()
  }
  return (
    <>
      <button type="button" className="button primary" onClick={retry}>
        Retry…
      </button>
      <button type="button" className="button" onClick={discard}>
        Discard…
      </button>
    </>
  )
}
