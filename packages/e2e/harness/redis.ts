import { basename } from 'node:path'
import { type RunningRedis, redisUrl, startRedis } from '@godwit/testing'
import { afterAll } from '@jest/globals'

let runningServer: Promise<RunningRedis> | undefined

afterAll(async () => {
  await (await runningServer)?.stop()
  runningServer = undefined
})

/** A store in the Redis of these journeys, which they share: its keys begin with the folder's name. */
export async function redisAddress(folder: string): Promise<string> {
  if (redisUrl() === undefined) runningServer ??= startRedis()
  const url = redisUrl() ?? (await runningServer)?.url
  return `${url}?prefix=${encodeURIComponent(`${basename(folder)}:`)}`
}
