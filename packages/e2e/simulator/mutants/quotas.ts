import { type Mutant, SERVER } from './mutant.js'

/** Limits for each user. */
export const quotasMutants: readonly Mutant[] = [
  {
    law: 'who leaves too many outcomes unacknowledged sends no more changes',
    file: `${SERVER}/quota/quota-exceeded.ts`,
    find: 'if (last - acknowledged <= most) return',
    replace: 'if (last >= 0) return',
    about: 'quotas',
    seed: 2,
  },
  {
    law: 'a user has no more clients than allowed',
    file: `${SERVER}/quota/client-quota.ts`,
    find: 'if (over <= 0) return',
    replace: 'if (over <= 1000) return',
    about: 'quotas',
    seed: 15,
  },
  {
    law: 'a user has no more blobs that nothing names than allowed',
    file: `${SERVER}/quota/blob-quota.ts`,
    find: 'limit: limits.unnamedBlobBytes,',
    replace: 'limit: Number.MAX_SAFE_INTEGER,',
    about: 'quotas',
    seed: 1,
  },
]
