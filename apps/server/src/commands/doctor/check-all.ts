import type { Environment } from '../../environment.js'
import { checkBackend } from './backend.js'
import type { CheckResult } from './check-result.js'
import { checkDemoLogins } from './demo-logins.js'
import { checkConfig, checkNode, checkSettings } from './environment.js'
import { checkFeeds } from './feeds.js'
import { checkPush } from './push.js'
import { checkRemovals } from './removals.js'
import { checkServer } from './server.js'
import { checkSignIn } from './sign-in.js'
import { checkSpace, checkStore } from './store.js'

/** Runs every check, in the order of its results. */
export const checkAll = async (
  url: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> => [
  checkNode(process.versions.node),
  ...checkSettings(environment),
  ...(await checkConfig(environment)),
  ...(await checkSignIn(environment)),
  ...(await checkStore(environment)),
  ...(await checkDemoLogins(environment)),
  ...(await checkSpace(environment)),
  ...(await checkServer(url, environment, signal)),
  ...(await checkRemovals(url, environment, signal)),
  ...(await checkFeeds(url, environment, signal)),
  ...(await checkBackend(url, environment)),
  ...(await checkPush(environment, signal)),
]
