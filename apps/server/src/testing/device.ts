/** A device under test, which sends plain requests. */
export interface TestDevice {
  readonly session: string
  readonly client: string
  pull(source: string, query?: string): Promise<Response>
  push(source: string, body: unknown): Promise<Response>
}

type Ask = (address: string, request: RequestInit) => Promise<Response>

const json = { 'content-type': 'application/json' }

export const logIn = (url: string, login: string, password = login, ask: Ask = fetch): Promise<Response> =>
  ask(`${url}/rc/v1/app/login`, { method: 'POST', headers: json, body: JSON.stringify({ login, password }) })

interface DeviceOptions {
  /** The login by default. */
  readonly password?: string
  readonly ask?: Ask
}

/** Logs in and creates a client. */
export async function openDevice(
  url: string,
  login: string,
  { password = login, ask = fetch }: DeviceOptions = {},
): Promise<TestDevice> {
  const { session } = (await (await logIn(url, login, password, ask)).json()) as { session: string }
  const authorization = `Bearer ${session}`
  const created = await ask(`${url}/rc/v1/clients`, { method: 'POST', headers: { ...json, authorization }, body: '{}' })
  const { client } = (await created.json()) as { client: { client_id: string } }
  return deviceOf(url, session, client.client_id, ask)
}

/** Returns a device that continues with an existing session and client. */
export function deviceOf(url: string, session: string, client: string, ask: Ask = fetch): TestDevice {
  const headers = { ...json, authorization: `Bearer ${session}`, 'X-Sync-CLIENT-ID': client }
  return {
    session,
    client,
    pull: (source, query = '') => ask(`${url}/app/v1/${source}${query}`, { headers }),
    push: (source, body) => ask(`${url}/app/v1/${source}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  }
}
