import { PassThrough } from 'node:stream'
import { expect, test } from '@jest/globals'
import { ask } from './ask.js'

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a prompt interrupts the command', async (_, key) => {
  const stdin = new PassThrough()
  const answer = ask({ stdin, stderr: new PassThrough() }, 'Password: ', { secret: true })
  stdin.write(key)
  await expect(answer).rejects.toMatchObject({ exitCode: 130 })
})
