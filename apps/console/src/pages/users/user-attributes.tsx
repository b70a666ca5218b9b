import type { Attributes } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { AttributesEditor } from '../../parts/attributes-editor.js'
import { useSession } from '../../session.js'

interface UserAttributesProps {
  readonly login: string
  readonly attributes: Attributes
  readonly changed: () => void
}

/** The free attributes of a user, which sources read. */
export function UserAttributes({ login, attributes, changed }: UserAttributesProps): ReactNode {
  const { may } = useSession()
  const [isEditing, setEditing] = useState(false)
  return (
    <section className="stack tight">
      <h3>Attributes</h3>
      {isEditing ? (
        <AttributesEditor
          attributes={attributes}
          name={login}
          title={`Change ${login}?`}
          says="Sources use the new values from their next call on. Data on devices changes only if a source returns other objects for them."
          present={async () => (await admin.users.get(login)).attributes}
          write={change => admin.users.update(login, { attributes: change })}
          done={() => {
            setEditing(false)
            changed()
          }}
        />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access */}
          <pre className="code" tabIndex={0}>
            {JSON.stringify(attributes, null, 2)}
          </pre>
          {may('users.update') && (
            <div className="buttons">
              <button type="button" className="button" onClick={() => setEditing(true)}>
                Edit attributes
              </button>
            </div>
          )}
        </>
      )}
    </section>
  )
}
