import { command } from './command.js'

export const dev = command({
  summary: 'runs the sync server and the app in this folder in one process, for development',
  parameters: '[APP...]',
  local: true,
  options: {
    with: {
      takes: 'COMMAND',
      many: true,
      says: 'also runs this: a module in the same process, or a command such as "python3 backend.py"',
    },
    'server-only': { says: 'does not start the app' },
  },
  details: [
    'Reads .env and godwit.config.ts, .mjs or .js in this folder. An app with a configuration of Vite is served by Vite, and two addresses',
    'are printed: each is a separate device. Otherwise APP is a module that runs once the server listens, with the rest as its arguments.',
    'Both find the address of the server in GODWIT_URL. BACKEND_SECRET is made where it is not set.',
  ].join('\n'),
  examples: ['godwit dev', 'godwit dev app.ts', 'godwit dev --with "python3 backend.py"'],
  async run({ host, words, options: { with: companions = [], 'server-only': serverOnly = false } }) {
    const { dev: runDev } = await import('../dev/dev.js')
    await runDev(host, { app: words, companions, serverOnly })
    return 'running'
  },
})
