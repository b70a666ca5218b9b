import { useDevice, useSyncStatus } from '@godwit/react'
import { deviceName } from './device.ts'
import { List } from './List.tsx'
import { Refusals } from './Refusals.tsx'
import { SignIn } from './SignIn.tsx'

export function App() {
  const { connected, problem, loggedIn, userName, online, waiting } = useSyncStatus()
  const device = useDevice()
  if (problem) return <p role="alert">{problem.message}</p>
  if (!connected) return <p className="opening">Opening…</p>
  if (!loggedIn) return <SignIn />
  const unsent = waiting === 0 ? 'Everything is sent.' : `Not sent yet: ${waiting}`
  return (
    <main>
      <header>
        <h1>my-app</h1>
        <span className={waiting > 0 ? 'waiting' : 'quiet'}>{unsent}</span>
        <button type="button" onClick={() => device.logout()} title={`Sign out on the ${deviceName} device`}>
          {userName}
        </button>
      </header>
      {online === false && <p className="offline">You are offline. Keep working: changes are sent later.</p>}
      <Refusals />
      <List />
    </main>
  )
}
