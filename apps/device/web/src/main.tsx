import '@fontsource-variable/inter'
import './styles.css'
import { DeviceProvider } from '@godwit/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { device } from './device.js'

const root = document.getElementById('root')
if (root === null) throw new Error('expected an element #root in index.html, got none.')
createRoot(root).render(
  <StrictMode>
    <DeviceProvider device={device}>
      <App />
    </DeviceProvider>
  </StrictMode>,
)
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('./service-worker.js').catch(() => undefined)
