import type { UsersCreated } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { admin, messageOf } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { Choice, Text } from '../../parts/field.js'
import { type FieldErrors, fieldErrorsOf } from '../../parts/field-errors.js'
import { number } from '../../parts/format.js'
import { useAction, useNotify } from '../../parts/notices.js'
import { usersOfCsv } from './csv.js'

const ROLES = ['device', 'reader', 'operator', 'plugin', 'admin'] as const
type Role = (typeof ROLES)[number]

/** The permissions of each role, as shown in the form. */
const ROLE_DESCRIPTIONS: { readonly [Name in Role]: string } = {
  device: 'Devices can log in as this user.',
  reader: 'This user can view everything except the audit log, in this console and through the API.',
  operator: 'This user can also change documents, settings and devices, in this console and through the API.',
  plugin: 'A backend can push objects and read sources as this user.',
  admin: 'This user can do everything, in this console and through the API.',
}

interface NewUserProps {
  /** Called with the logins of the users created, if any. */
  readonly close: (made?: readonly string[]) => void
}

/** Creates one user by a form, or many from a file. */
export function NewUser({ close }: NewUserProps): ReactNode {
  const perform = useAction()
  const notify = useNotify()
  const confirm = useConfirm()
  const [busy, setBusy] = useState(false)
  const [rejected, setRejected] = useState<FieldErrors>({})
  const createUser = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [login, password, role] = ['login', 'password', 'role'].map(name => String(given.get(name)))
    if (login === undefined || password === undefined) return
    const question = {
      title: `Create ${login}?`,
      says: ROLE_DESCRIPTIONS[role as Role],
      undo: 'To undo this, delete the user.',
      action: `Create ${login}`,
    } as const
    if (!(await confirm(question))) return
    setBusy(true)
    const act = () => admin.users.create({ login, password }, { role: role as Role })
    const failed = (error: unknown): void => setRejected(fieldErrorsOf(error, { user_exists: 'login' }))
    if (await perform(act, `Created ${login}.`, { failed })) close([login])
    else setBusy(false)
  }
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const found = await file
      .text()
      .then(usersOfCsv)
      .catch((error: unknown) => messageOf(error))
    if (typeof found === 'string') return notify(`Could not read ${file.name}: ${found}`)
    const count = `${number(found.length)} ${found.length === 1 ? 'user' : 'users'}`
    const columns = [...new Set(found.flatMap(({ attributes }) => Object.keys(attributes)))].join(', ')
    const says = `From ${file.name}, with ${columns}. Existing users are not changed.`
    const undo = 'To undo this, delete them one by one.'
    if (found.length === 0) return
    if (!(await confirm({ title: `Create ${count}?`, says, undo, action: `Create ${count}` }))) return
    setBusy(true)
    const done = ({ created, existing }: UsersCreated): string =>
      `${number(created.length)} created; ${number(existing.length)} already existed and were not changed.`
    const made: string[] = []
    const act = async (): Promise<UsersCreated> => {
      const answer = await admin.users.createMany(found)
      made.push(...answer.created)
      return answer
    }
    if (await perform(act, done)) close(made)
    else setBusy(false)
  }
  return (
    <Drawer title="New user" close={() => close()}>
      <form className="stack tight" onSubmit={createUser} onChange={() => setRejected({})}>
        <Text label="Login" name="login" required autoComplete="off" autoCapitalize="none" error={rejected['login']} />
        <Text
          label="Password"
          name="password"
          type="password"
          required
          autoComplete="new-password"
          error={rejected['password']}
        />
        <Choice
          label="Role"
          name="role"
          hint="device: for people with devices. Other roles: for the API and this console."
          options={ROLES.map(one => [one, one])}
        />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={busy}>
            Create user…
          </button>
        </div>
      </form>
      <section className="stack tight">
        <h3>Import from a file</h3>
        <p className="soft">
          CSV whose first line names the columns: <code>login,password</code> and any attributes.
        </p>
        <input
          className="input"
          type="file"
          accept=".csv,text/csv"
          aria-label="A CSV file of users"
          disabled={busy}
          onChange={event => {
            void load(event.target.files?.[0])
            // Reset, so that choosing the same file again fires a change event.
            event.target.value = ''
          }}
        />
      </section>
    </Drawer>
  )
}
