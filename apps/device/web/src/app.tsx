import { useSyncStatus } from '@godwit/react'
import { Day } from './pages/day.js'
import { Opening } from './pages/opening.js'
import { SignIn } from './pages/sign-in.js'

export function App() {
  const { connected, loggedIn, userName, problem } = useSyncStatus()
  if (problem !== null) return <Opening problem={problem.message} />
  if (!connected) return userName === null ? <Opening /> : <Day />
  return loggedIn ? <Day /> : <SignIn />
}
