import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Drawer } from '../../parts/drawer.js'
import { QueryContent } from '../../parts/states.js'
import { useQuery } from '../../use-query.js'
import { MutationPanel, titleOf } from './mutation-panel.js'

/** A change that was not applied: what its device wanted, and what was said. */
export function RefusalDrawer({ id, close }: { readonly id: string; readonly close: () => void }): ReactNode {
  const refusal = useQuery(`refusal ${id}`, options => admin.operations.refusal(id, options))
  return (
    <Drawer title={titleOf(refusal.data)} close={close}>
      <QueryContent query={refusal} what="the mutation">
        {one => (
          <MutationPanel
            mutation={one}
            error={one.error}
            state={{ tone: 'bad', text: one.status }}
            facts={[['When', <Ago key="when" time={one.refused_at} />]]}
          >
            <p className="soft">It is decided: the device rolls it back, and its user can write it again.</p>
          </MutationPanel>
        )}
      </QueryContent>
    </Drawer>
  )
}
