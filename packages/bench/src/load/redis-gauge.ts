import { createClient } from 'redis'

/** What a Redis server says of itself. */
export interface RedisGauge {
  /** Processor time in seconds, memory in bytes. */
  read(): Promise<{ readonly cpu: number; readonly memory: number }>
  close(): void
}

export async function redisGauge(url: string): Promise<RedisGauge> {
  const client = createClient({ url })
  await client.connect()
  return {
    async read() {
      const said = `${await client.info('cpu')}${await client.info('memory')}`
      const value = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(said)?.[1])
      return { cpu: value('used_cpu_user') + value('used_cpu_sys'), memory: value('used_memory') }
    },
    close: () => client.destroy(),
  }
}
