import { openDevice, remoteActions } from '@godwit/model/browser'
import type { actions } from './godwit.worker.js'
import { type AppModels, models } from './models.js'
import { accessToken } from './sign-in/demo-provider.js'

/** The device that all windows of this browser share. */
export const device = openDevice<AppModels, typeof actions>({
  name: 'field-visits',
  server: '/',
  models,
  actions: remoteActions<typeof actions>(),
  credentials: accessToken,
  worker: () => new Worker(new URL('./godwit.worker.ts', import.meta.url), { type: 'module' }),
})

declare module '@godwit/react' {
  interface Register {
    device: typeof device
  }
}
