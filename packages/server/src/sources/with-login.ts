import type { HoldSignal } from './call-source.js'
import { messageOf } from './refusal.js'
import type { Source, SourceContext } from './source.js'

/** A call of a source that may want a login, as `callSource` runs it. */
export interface CallWithLogin {
  readonly source: Pick<Source, 'name' | 'methods'>
  readonly context: SourceContext
  readonly holdSignal: HoldSignal
}

/**
 * Runs a call between the login and the logoff of its source; a failed login runs nothing, and is thrown or made the result by `otherwise`. The logoff is not
 * waited for, and its failure is logged: a result that is there must not be lost for it.
 */
export async function withLogin<T>(
  { source, context, holdSignal }: CallWithLogin,
  run: () => T | Promise<T>,
  otherwise?: (failure: unknown) => T,
): Promise<T> {
  try {
    await source.methods.login?.(context)
  } catch (failure) {
    if (otherwise === undefined) throw failure
    return otherwise(failure)
  }
  try {
    return await run()
  } finally {
    if (source.methods.login !== undefined) holdSignal(logOff(source, context))
  }
}

async function logOff({ name, methods }: Pick<Source, 'name' | 'methods'>, context: SourceContext): Promise<void> {
  try {
    await methods.logoff?.(context)
  } catch (error) {
    context.log.warn({ source: name, error: messageOf(error) }, 'a logoff of a source failed')
  }
}
