import { type ReactNode, Suspense, useEffect } from 'react'
import { SignIn } from './pages/sign-in/sign-in.js'
import { type PageRoute, pages } from './pages.js'
import { Boundary } from './parts/boundary.js'
import { Asking } from './parts/confirm.js'
import { Notices } from './parts/notices.js'
import { PageHead } from './parts/page-head.js'
import { Shell } from './parts/shell.js'
import { Failed, Loading, NoRights, Nothing } from './parts/states.js'
import { usePlace } from './routes.js'
import { Session, useSession } from './session.js'

// What the address names is fetched while the server is asked who is there.
const begun = pages.find(({ path }) => location.hash.startsWith(`#/${path}`)) ?? pages[0]
void begun?.load()

const AFTERWARDS = 1000

async function fetchOthers(may: (name: PageRoute['needs']) => boolean): Promise<void> {
  for (const { needs, load } of pages) if (may(needs)) await load().catch(() => {})
}

export const App = (): ReactNode => (
  <Session
    waiting={<Loading what="the console" />}
    signIn={(entered, isEnded) => <SignIn entered={entered} isEnded={isEnded} />}
    failed={error => <Failed error={error} retry={() => location.reload()} />}
  >
    <Notices>
      <Asking>
        <Shell>
          <Suspense fallback={<Loading what="the page" />}>
            <Current />
          </Suspense>
        </Shell>
      </Asking>
    </Notices>
  </Session>
)

function Current(): ReactNode {
  const { path } = usePlace()
  const { may, session } = useSession()
  const found = pages.find(one => one.path === path)
  useEffect(() => {
    // Once what was asked for stands, so that the other pages open at once.
    const timer = setTimeout(() => void fetchOthers(may), AFTERWARDS)
    return () => clearTimeout(timer)
  }, [may])
  if (!found) return <Nothing title="There is no such page" says={`Nothing of the console is called “${path}”.`} />
  if (!may(found.needs)) {
    return (
      <>
        <PageHead title={found.title} />
        <NoRights role={session.role} />
      </>
    )
  }
  const Page = found.here() ?? found.Page
  return (
    <Boundary key={path}>
      <Page />
    </Boundary>
  )
}
