import { type Mutant, SERVER } from './mutant.js'

/** Limits for each user. */
export const quotasMutants: readonly Mutant[] = [
  {
    law: 'who leaves too many outcomes unacknowledged sends no more changes',
    file: `${SERVER}/accounts/quota/quota-exceeded.ts`,
    in: 'checkOutcomeQuota',
    find: `{
      $$$BEFORE
      const $OUTCOMES = await $ENGINE.store.journal.outcomes($$$ARGUMENTS)
      if ($LAST - $ACKNOWLEDGED <= $MOST) return
      $$$AFTER
    }`,
    replace: `{
      $$$BEFORE
      const $OUTCOMES = await $ENGINE.store.journal.outcomes($$$ARGUMENTS)
      if ($LAST >= 0) return
      $$$AFTER
    }`,
    about: 'quotas',
    seed: 2,
  },
  {
    law: 'a user has no more clients than allowed',
    file: `${SERVER}/accounts/quota/client-quota.ts`,
    in: 'enforceClientQuota',
    find: '$OVER <= 0',
    replace: '$OVER <= 1000',
    about: 'quotas',
    seed: 15,
  },
  {
    law: 'a user has no more blobs that nothing names than allowed',
    file: `${SERVER}/device/blobs/blob-quota.ts`,
    in: 'limitedCharge',
    find: '$LIMITS.unnamedBlobBytes',
    replace: 'Number.MAX_SAFE_INTEGER',
    about: 'quotas',
    seed: 1,
  },
]
