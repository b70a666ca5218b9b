/** A client of Redis that sends what it is told in the order in which it was told. */
interface Client {
  sendCommand(words: string[]): Promise<unknown>
}

/** What scripts cost since it was last asked, in milliseconds of the processor of Redis' one thread for commands. */
export interface ScriptCosts {
  readonly scripts: number
  readonly mean: number
  readonly most: number
}

/**
 * What a store takes for its connection, which weighs each script by the processor time that Redis says it used before and after: other than a duration, that does not grow
 * where the machine has other work. It includes reading the script's arguments, writing its answer, and about a tenth of a millisecond of asking.
 */
export function weighingHandle(client: Client) {
  let [scripts, total, most] = [0, 0, 0]
  const used = async () => processorOf(String(await client.sendCommand(['INFO', 'cpu'])))
  const send = async (_key: string, command: readonly (string | Uint8Array)[]) => {
    const words = command as string[]
    if (!words[0]?.startsWith('EVAL')) return (await client.sendCommand(words)) as never
    const [before, answer, after] = await Promise.all([used(), client.sendCommand(words), used()])
    scripts++
    total += after - before
    most = Math.max(most, after - before)
    return answer as never
  }
  const handle = {
    send,
    sendForBytes: async () => Promise.reject(new Error('Blobs are not weighed.')),
    sendInRow: async () => Promise.reject(new Error('Blocking commands are not weighed.')),
    primaries: async () => [(command: readonly (string | Uint8Array)[]) => send('', command)],
    subscribe: async () => async () => undefined,
    close: async () => undefined,
    destroy: () => undefined,
  }
  const take = (): ScriptCosts => {
    const weighed = { scripts, mean: total / Math.max(1, scripts), most }
    ;[scripts, total, most] = [0, 0, 0]
    return weighed
  }
  return { handle, take }
}

function processorOf(said: string): number {
  const part = (name: string) => Number(new RegExp(`used_cpu_${name}_main_thread:([\\d.]+)`).exec(said)?.[1])
  return 1000 * (part('user') + part('sys'))
}
