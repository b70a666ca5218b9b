import https from 'node:https'
import type { GuardedFetch, PushTarget } from '@godwit/source'

/** Returns a target for this address; its requests trust this certificate. */
export const targetFor = (
  pin: string,
  { ca, ...more }: Partial<PushTarget> & { readonly ca?: string } = {},
): PushTarget => ({
  pin,
  port: undefined,
  appId: undefined,
  signal: new AbortController().signal,
  fetch: trusting(ca),
  isDryRun: false,
  ...more,
})

const trusting =
  (ca: string | undefined): GuardedFetch =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = https.request(
        url,
        { method, headers, signal, ...(ca !== undefined && { ca }) },
        async response => {
          const parts: Buffer[] = []
          for await (const part of response) parts.push(part as Buffer)
          const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          const { statusCode: status = 0 } = response
          resolve({ status, headers: Object.fromEntries(received), body: Buffer.concat(parts).toString() })
        },
      )
      request.on('error', reject)
      request.end(body)
    })
