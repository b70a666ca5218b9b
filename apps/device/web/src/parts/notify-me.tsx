import { type PushState, renewPush, subscribePush, unsubscribePush } from '@godwit/model/browser'
import { useEffect, useState } from 'react'
import { device } from '../device.js'

/** Switches the push messages of this browser. Shows nothing where the browser or the server has none. */
export function NotifyMe() {
  const [state, setState] = useState<PushState>('unavailable')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    // Without a network, whether the server has push messages is unknown.
    renewPush(device).then(setState, () => undefined)
  }, [])
  if (state === 'unavailable') return null
  const change = async (): Promise<void> => {
    setBusy(true)
    try {
      setState(await (state === 'on' ? unsubscribePush(device) : subscribePush(device)))
    } catch {
      // The state stays as it was, and the button can be pressed again.
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      className="plain"
      aria-pressed={state === 'on'}
      disabled={isBusy || state === 'denied'}
      title={TITLES[state]}
      onClick={change}
    >
      {state === 'on' ? 'Notifications on' : 'Notify me'}
    </button>
  )
}

const TITLES: { readonly [State in PushState]?: string } = {
  on: 'Messages arrive while Field Visits is closed',
  off: 'Receive messages while Field Visits is closed',
  denied: 'This browser was told not to show notifications: change it in the settings of the page',
}
