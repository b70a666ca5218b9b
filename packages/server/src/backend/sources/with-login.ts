import { messageOf, type Source, type SourceContext } from '@godwit/source'
import type { HoldSignal } from './call-source.js'

/** A call of a source that may need a login, as `callSource` runs it. */
export interface CallWithLogin {
  readonly source: Pick<Source, 'name' | 'methods'>
  readonly context: SourceContext
  readonly holdSignal: HoldSignal
}

/**
 * Runs a call between the source's login and logoff; after a failed login the call does not run, and the failure is thrown or passed to `otherwise`.
 * The logoff is not awaited and its failure is logged, so that it cannot lose a result.
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
    context.log.warn({ source: name, error: messageOf(error) }, 'logoff of a source failed')
  }
}
