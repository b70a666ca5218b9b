import { createConnection } from 'node:net'
import type { RunningRedis } from './redis.js'

/** How a sentinel, which has no QUIT, complains of it. */
const NO_QUIT = /-ERR unknown command 'QUIT'.*\r\n$/

/** Sends one command, or several on separate lines, and returns the replies as text. */
export function askRedis({ port }: Pick<RunningRedis, 'port'>, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`))
    socket.setEncoding('utf8').on('data', text => {
      answer += text
      if (NO_QUIT.test(answer)) over()
    })
    const over = (): void => {
      answer = answer.replace(NO_QUIT, '')
      socket.end()
      if (answer.startsWith('-')) reject(new Error(`${command}: ${answer.trim()}`))
      else resolve(answer)
    }
    socket.once('error', reject).once('end', over)
  })
}
