import type { StoredObject } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { AttributesEditor } from '../../parts/attributes-editor.js'

interface EditorProps {
  readonly source: string
  readonly user: string
  readonly object: StoredObject
  readonly done: () => void
}

/** The attributes of an object of a master document. */
export const Editor = ({ source, user, object: { id, attributes }, done }: EditorProps): ReactNode => (
  <AttributesEditor
    attributes={attributes}
    name={id}
    title={`Change ${id} of ${source}?`}
    says="Devices receive it with their next pull. The backend does not hear of it, and its next query may undo it."
    present={async () => (await admin.users.objects(user, source, { id })).objects[0]?.attributes}
    write={change => admin.users.writeDocument(user, source, 'md', { [id]: change }, { append: true })}
    done={done}
  />
)
