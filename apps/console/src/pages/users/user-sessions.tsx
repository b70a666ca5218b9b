import type { UserSession } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { useConfirm } from '../../parts/confirm.js'
import { number } from '../../parts/format.js'
import { useAction } from '../../parts/notices.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'

const MAX_SESSIONS = 20

/** The sessions of a user's devices, the newest first, each of which can be ended alone. */
export function UserSessions({ login }: { readonly login: string }): ReactNode {
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const sessions = useQuery(`sessions of ${login}`, options => admin.users.sessions(login, options))
  const end = async ({ id }: UserSession): Promise<void> => {
    const says = `The device that uses it must sign in again before its next sync, and keeps its data. Other sessions of ${login} go on.`
    if (!(await confirm({ title: 'End this session?', says, undo: 'never', action: 'End the session' }))) return
    if (await perform(() => admin.users.endSession(login, id), 'Ended the session.')) sessions.reload()
  }
  return (
    <section className="stack tight">
      <h3>Sessions</h3>
      <QueryContent query={sessions} what="the sessions">
        {found =>
          found.length === 0 ? (
            <p className="soft">No device of {login} is signed in.</p>
          ) : (
            <>
              <ul className="stack tight">
                {found
                  .toReversed()
                  .slice(0, MAX_SESSIONS)
                  .map(session => (
                    <li key={session.id} className="beside">
                      <SessionFacts login={login} session={session} />
                      {may('users.endSession') && (
                        <button
                          type="button"
                          className="button plain"
                          aria-label={`End the session of ${session.created_at}`}
                          onClick={() => end(session)}
                        >
                          End…
                        </button>
                      )}
                    </li>
                  ))}
              </ul>
              {found.length > MAX_SESSIONS && (
                <p className="soft">{number(found.length - MAX_SESSIONS)} older sessions are not shown.</p>
              )}
            </>
          )
        }
      </QueryContent>
    </section>
  )
}

/** When a session began and was used, and the devices that use it. */
function SessionFacts({ login, session }: { readonly login: string; readonly session: UserSession }): ReactNode {
  const { clients, created_at, last_used } = session
  return (
    <span className="named">
      <span>
        Signed in <Ago time={created_at} />, used <Ago time={last_used ?? created_at} />
      </span>
      {clients.length === 0 ? (
        <span className="soft small">no device yet</span>
      ) : (
        clients.map(client => (
          <a
            key={client}
            className="mono small cut"
            title={client}
            href={linkTo('devices', { user: login, open: client })}
          >
            {client}
          </a>
        ))
      )}
    </span>
  )
}
