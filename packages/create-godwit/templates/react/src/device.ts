import { openDevice } from '@godwit/model/browser'
import * as models from '../models.ts'

/** Each name is a device with a database of its own: `?device=second` opens another one in the same browser. */
export const deviceName = new URLSearchParams(location.search).get('device') ?? 'first'

export const device = openDevice({
  name: deviceName,
  server: '/',
  models,
  worker: () => new Worker(new URL('./godwit.worker.ts', import.meta.url), { type: 'module' }),
})

declare module '@godwit/react' {
  interface Register {
    device: typeof device
  }
}
