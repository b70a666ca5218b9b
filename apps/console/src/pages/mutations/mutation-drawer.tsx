import type { SentMutation } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import type { Tone } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { number } from '../../parts/format.js'
import { useDo } from '../../parts/notices.js'
import { Answer } from '../../parts/states.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Mono, MutationPanel, titleOf } from './mutation-panel.js'
import { Settle } from './settle.js'

interface MutationDrawerProps {
  readonly id: string
  readonly close: () => void
  /** It was decided, and the list is another. */
  readonly decided: () => void
}

/** One change of a device: what it wanted, what the backend said, and what can be decided about it. */
export function MutationDrawer({ id, close, decided }: MutationDrawerProps): ReactNode {
  const { may } = useSession()
  const mutation = useQuery(`mutation ${id}`, options => admin.operations.mutation(id, options))
  return (
    <Drawer title={titleOf(mutation.data)} close={close}>
      <Answer query={mutation} what="the mutation">
        {one => (
          <MutationPanel
            mutation={one}
            error={one.error}
            state={{ tone: TONES[one.state], text: one.outcome?.status ?? one.state }}
            facts={factsOf(one)}
            buttons={
              may('operations.retry') && one.state === 'in_doubt' && <Decisions mutation={one} decided={decided} />
            }
          >
            {may('operations.settle') && one.state === 'in_doubt' && <Settle mutation={one} decided={decided} />}
          </MutationPanel>
        )}
      </Answer>
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
    ['Calls', number(attempts)],
    ...(owners.length > 0 ? [['Belongs to', <Mono key="owners">{owners.join(', ')}</Mono>] as const] : []),
    ['Idempotency key', <Mono key="key">{key}</Mono>],
  ] as const

function Decisions({ mutation: { id, source, object }, decided }: { mutation: SentMutation; decided: () => void }) {
  const confirm = useConfirm()
  const perform = useDo()
  const retry = async (): Promise<void> => {
    const says =
      'The backend is called again with the same idempotency key. One that does not know keys may do it twice.'
    if (!(await confirm({ title: `Retry ${source} ${object}?`, says, undo: 'never', action: 'Retry it' }))) return
    if (await perform(() => admin.operations.retry(id), 'It was tried again.')) decided()
  }
  const discard = async (): Promise<void> => {
    const says =
      'The device rolls it back, with what depends on it. The backend may have done it: the next query tells.'
    if (
      !(await confirm({
        title: `Discard ${source} ${object}?`,
        says,
        undo: 'never',
        action: 'Discard it',
        danger: true,
      }))
    )
      return
    if (await perform(() => admin.operations.discard(id), 'It is discarded.')) decided()
  }
  return (
    <>
      <button type="button" className="button primary" onClick={retry}>
        Retry it …
      </button>
      <button type="button" className="button" onClick={discard}>
        Discard it …
      </button>
    </>
  )
}
