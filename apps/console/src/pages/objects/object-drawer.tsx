import type { StoredObject } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { AttributesEditor } from '../../parts/attributes-editor.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { number } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { useAction } from '../../parts/notices.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { History } from './history.js'

interface ObjectDrawerProps {
  readonly source: string
  readonly user: string
  readonly id: string
  readonly close: () => void
}

/** Details of one object, with actions to change or remove it. */
export function ObjectDrawer({ source, user, id, close }: ObjectDrawerProps): ReactNode {
  const [isEditing, setEditing] = useState(false)
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const object = useQuery(`object ${source} ${user} ${id}`, options =>
    admin.users.objects(user, source, { id, ...options }),
  )
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Remove ${id} from ${source}?`,
      says: 'Devices remove it with their next pull. If the backend still has it, the next query restores it.',
      undo: 'never',
      action: `Remove ${id}`,
      danger: true,
    })
    if (yes && (await perform(() => admin.push.deletes(source, user, [id]), `Removed ${id}.`))) close()
  }
  return (
    <Drawer title={`${source} ${id}`} close={close}>
      <QueryContent query={object} what="the object">
        {({ objects: [found] }) =>
          found === undefined ? (
            <>
              <EmptyState title="Object not found" says="The server does not have this object.">
                <a className="button" href={linkTo('explain', { source, user: user === '*' ? '' : user, object: id })}>
                  Why is it missing?
                </a>
              </EmptyState>
              <History source={source} user={user} id={id} />
            </>
          ) : isEditing ? (
            <Editor
              source={source}
              user={user}
              object={found}
              done={() => {
                setEditing(false)
                object.reload()
              }}
            />
          ) : (
            <>
              <dl className="facts">
                <dt>Version</dt>
                <dd className="number">{number(found.version)}</dd>
                <dt>Changed</dt>
                <dd>
                  <Ago time={found.changed_at ?? null} never="before its recorded history" />
                </dd>
                <dt>Partition</dt>
                <dd>{user === '*' ? 'shared by all users' : `of ${user}`}</dd>
              </dl>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access */}
              <pre className="code" tabIndex={0}>
                {JSON.stringify(found.attributes, null, 2)}
              </pre>
              <div className="buttons">
                {may('users.writeDocument') && (
                  <button type="button" className="button primary" onClick={() => setEditing(true)}>
                    Edit
                  </button>
                )}
                <a className="button" href={linkTo('explain', { source, user: user === '*' ? '' : user, object: id })}>
                  <Icon name="explain" />
                  Is it on a device?
                </a>
                {may('plugin.pushDeletes') && (
                  <button type="button" className="button" onClick={remove}>
                    Remove…
                  </button>
                )}
              </div>
              <History key={found.version} source={source} user={user} id={id} />
            </>
          )
        }
      </QueryContent>
    </Drawer>
  )
}

interface EditorProps {
  readonly source: string
  readonly user: string
  readonly object: StoredObject
  readonly done: () => void
}

/** Edits the attributes of an object of a master document. */
const Editor = ({ source, user, object: { id, attributes }, done }: EditorProps): ReactNode => (
  <AttributesEditor
    attributes={attributes}
    name={id}
    title={`Change ${id} of ${source}?`}
    says="Devices receive the change with their next pull. The backend is not notified, so its next query may revert it."
    present={async () => (await admin.users.objects(user, source, { id })).objects[0]?.attributes}
    write={change => admin.users.writeDocument(user, source, 'md', { [id]: change }, { append: true })}
    done={done}
  />
)
