import '@fontsource-variable/inter'
import './styles.css'
import { DeviceProvider, useSyncStatus } from '@godwit/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { device } from './device.js'
import { VisitsPage } from './pages/day.js'
import { OpeningPage } from './pages/opening.js'
import { SignInPage } from './pages/sign-in.js'

const root = document.getElementById('root')
if (root === null) throw new Error('expected an element #root in index.html, got none.')
createRoot(root).render(
  <StrictMode>
    <DeviceProvider device={device}>
      <App />
    </DeviceProvider>
  </StrictMode>,
)

function App() {
  const { connected, loggedIn, userName, problem } = useSyncStatus()
  // When the owner's tab is silent, the page stays connected and keeps what it shows, including an open form.
  if (problem !== null && !connected) return <OpeningPage problem={problem.message} />
  if (!connected) return userName === null ? <OpeningPage /> : <VisitsPage />
  return loggedIn ? <VisitsPage /> : <SignInPage />
}
