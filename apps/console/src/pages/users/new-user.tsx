import { type FormEvent, type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Drawer } from '../../parts/drawer.js'
import { Choice, Text } from '../../parts/field.js'
import { useDo } from '../../parts/notices.js'
import { usersOfCsv } from './csv.js'

const ROLES = ['device', 'reader', 'operator', 'plugin', 'admin'] as const

interface NewUserProps {
  /** With the login that was made, if one was. */
  readonly close: (made?: string) => void
}

/** One user by a form, or many from a file. */
export function NewUser({ close }: NewUserProps): ReactNode {
  const perform = useDo()
  const [busy, setBusy] = useState(false)
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [login, password, role] = ['login', 'password', 'role'].map(name => String(given.get(name)))
    if (login === undefined || password === undefined) return
    setBusy(true)
    const act = () => admin.users.create({ login, password }, { role: role as (typeof ROLES)[number] })
    if (await perform(act, `${login} is made.`)) close(login)
    else setBusy(false)
  }
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    const act = async (): Promise<void> => {
      await admin.users.createMany(usersOfCsv(await file.text()))
    }
    if (await perform(act, `The users of ${file.name} are made; those who existed stay as they were.`)) close()
    else setBusy(false)
  }
  return (
    <Drawer title="New user" close={() => close()}>
      <form className="stack tight" onSubmit={make}>
        <Text label="Login" name="login" required autoComplete="off" autoCapitalize="none" />
        <Text label="Password" name="password" type="password" required autoComplete="new-password" />
        <Choice
          label="Role"
          name="role"
          hint="device: people with devices. The others use the API and this console."
          options={ROLES.map(one => [one, one])}
        />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={busy}>
            Make the user
          </button>
        </div>
      </form>
      <section className="stack tight">
        <h3>Many from a file</h3>
        <p className="soft">
          CSV whose first line names the columns: <code>login,password</code> and any attributes.
        </p>
        <input
          className="input"
          type="file"
          accept=".csv,text/csv"
          aria-label="A CSV file of users"
          disabled={busy}
          onChange={event => void load(event.target.files?.[0])}
        />
      </section>
    </Drawer>
  )
}
