import { DeviceProvider } from '@godwit/react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { device } from './device.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <DeviceProvider device={device}>
    <App />
  </DeviceProvider>,
)
