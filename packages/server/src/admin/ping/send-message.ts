import type { PushMessage } from '@godwit/protocol'
import type { AdminEngine } from '../admin-engine.js'
import type { PingDevice } from './devices-of.js'
import { type SendEngine, type SendOptions, type SendResult, sendPush } from './send-push.js'

/** Sends a message to the device's open stream, in this process or another, else through its provider. Never rejects. */
export async function sendMessage(
  engine: SendEngine & Pick<AdminEngine, 'hub' | 'pingPeers'>,
  device: PingDevice,
  message: PushMessage,
  options: SendOptions = {},
): Promise<SendResult> {
  if (options.isDryRun && device.isListening) return { sent: true }
  if (!options.isDryRun && (await reachStream(engine, device, message))) return { sent: true }
  return sendPush(engine, device, message, options)
}

async function reachStream(
  { hub, pingPeers }: Pick<AdminEngine, 'hub' | 'pingPeers'>,
  { login, client, isListening }: PingDevice,
  message: PushMessage,
): Promise<boolean> {
  if (hub.ping(login, client, { ...message })) return true
  return isListening && (await pingPeers.deliver([{ login, client }], message)).has(client)
}
