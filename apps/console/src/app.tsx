import { type ReactNode, Suspense, useEffect } from 'react'
import { SignIn } from './pages/sign-in/sign-in.js'
import { type PageRoute, pages } from './pages.js'
import { Boundary } from './parts/boundary.js'
import { ConfirmProvider } from './parts/confirm.js'
import { Notices } from './parts/notices.js'
import { PageHead } from './parts/page-head.js'
import { Shell } from './parts/shell.js'
import { EmptyState, ErrorState, Loading, NoRights } from './parts/states.js'
import { useLocation } from './routes.js'
import { Session, useSession } from './session.js'

// The page in the URL is loaded while the session request runs.
const firstPage = pages.find(({ path }) => location.hash.startsWith(`#/${path}`)) ?? pages[0]
void firstPage?.load()

const PRELOAD_DELAY = 1000

async function preloadPages(may: (name: PageRoute['needs']) => boolean): Promise<void> {
  for (const { needs, load } of pages) if (may(needs)) await load().catch(() => {})
}

export const App = (): ReactNode => (
  <Session
    waiting={<Loading what="the console" />}
    signIn={(entered, isEnded) => <SignIn entered={entered} isEnded={isEnded} />}
    failed={(error, retry) => (
      <main className="main">
        <ErrorState error={error} retry={retry} />
      </main>
    )}
  >
    <Notices>
      <ConfirmProvider>
        <Shell>
          <Suspense fallback={<Loading what="the page" />}>
            <CurrentPage />
          </Suspense>
        </Shell>
      </ConfirmProvider>
    </Notices>
  </Session>
)

function CurrentPage(): ReactNode {
  const { path } = useLocation()
  const { may, session } = useSession()
  const found = pages.find(one => one.path === path)
  useEffect(() => {
    // Loads the other pages after the first one has rendered, so that they open at once.
    const timer = setTimeout(() => void preloadPages(may), PRELOAD_DELAY)
    return () => clearTimeout(timer)
  }, [may])
  if (!found) return <EmptyState title="Page not found" says={`The console has no page “${path}”.`} />
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
