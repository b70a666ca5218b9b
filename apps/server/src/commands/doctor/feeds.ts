import { AdminClient } from '@godwit/admin-client'
import type { FeedInfo } from '@godwit/protocol'
import type { Environment } from '../../environment.js'
import { TokenFile } from '../token-file.js'
import { type CheckResult, ok, warning } from './check-result.js'

/** Reports each feed of the server, with an existing token. Without one, `/readyz` still names those that are silent. */
export async function checkFeeds(
  url: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  try {
    const token = environment['GODWIT_TOKEN'] || new TokenFile(environment).find(url)?.token
    if (!token) return []
    return (await new AdminClient({ url, token }).sources.feeds({ signal })).map(findingOf)
  } catch {
    return []
  }
}

function findingOf(feed: FeedInfo): CheckResult {
  const { name, stale_since, error, todo } = feed
  const about = `feed ${name}`
  const state = stale_since === null ? 'up to date' : `silent since ${stale_since}`
  const says = [state, ...factsOf(feed), ...(error === null ? [] : [`last error: ${error}`])].join('; ')
  return todo === null ? ok(about, says) : warning(about, says, todo)
}

const factsOf = ({ heartbeat_at, lag, waiting_rows, cursor }: FeedInfo): readonly string[] => [
  `heartbeat ${heartbeat_at ?? 'never'}`,
  ...(lag === null ? [] : [`lag ${lag} s`]),
  ...(waiting_rows === null ? [] : [`${waiting_rows} rows waiting`]),
  `cursor ${cursor ?? 'none'}`,
]
