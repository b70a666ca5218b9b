import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from './connection.js'
import { type System, type SystemKind, startProgram } from './system.js'

/** A server of node:http and better-sqlite3 with one table and no features, as the upper limit of the machine. */
export const floor = (synchronous: 'NORMAL' | 'FULL'): SystemKind => ({
  name: `floor (${synchronous})`,
  writes: ['once'],
  async start(folder) {
    const program = fileURLToPath(new URL('./floor-server.js', import.meta.url))
    const started = await startProgram(program, [join(folder, 'floor.sqlite'), synchronous], {})
    const backend = await connect(started.url)
    const system: System = {
      name: `floor (${synchronous})`,
      ...started,
      async ingest(_user, objects) {
        await backend.send('POST', '/push', '', JSON.stringify(objects))
      },
      async client() {
        const connection = await connect(started.url)
        let after = [0, ''] as readonly [number, string]
        let made = 0
        return {
          async pull() {
            for (let count = 0; ; ) {
              const { text } = await connection.send(
                'GET',
                `/pull?version=${after[0]}&id=${encodeURIComponent(after[1])}`,
                '',
              )
              const page = JSON.parse(text) as { after: [number, string]; insert: Record<string, unknown> }
              const received = Object.keys(page.insert).length
              count += received
              after = page.after
              if (received < 1000) return count
            }
          },
          async write(_kind, count) {
            const objects = Object.fromEntries(
              Array.from({ length: count }, () => [
                `written-${process.hrtime.bigint()}-${made++}`,
                { note: 'a visit' },
              ]),
            )
            await connection.send('POST', '/push', '', JSON.stringify(objects))
          },
          close: () => connection.close(),
        }
      },
      async stop() {
        backend.close()
        await started.stop()
      },
    }
    return system
  },
})
