import { type Mutant, SERVER } from './mutant.js'

/** Conflicts, and the calls that follow from them. */
export const conflictsMutants: readonly Mutant[] = [
  {
    law: 'a source that rejects conflicts is not called for one',
    file: `${SERVER}/push/find-conflict.ts`,
    find: "if (policy.conflict === 'reject' || mutation.operation === 'delete')",
    replace: "if (mutation.operation === 'delete')",
    about: 'retries',
    seed: 11,
  },
  {
    law: 'an object that others changed is not deleted, unless the device wins',
    file: `${SERVER}/push/find-conflict.ts`,
    find: "if (policy.conflict === 'reject' || mutation.operation === 'delete')",
    replace: "if (policy.conflict === 'reject' && mutation.operation !== 'delete')",
    about: 'retries',
    seed: 2,
  },
  {
    law: 'server-wins keeps each attribute that others changed',
    file: `${SERVER}/push/find-conflict.ts`,
    find: 'return decisionWithout(mutation, present, conflicts)',
    replace: 'return decisionWithout(mutation, present, [])',
    seed: 9,
  },
  {
    law: 'an update of a removed object is gone',
    file: `${SERVER}/push/find-conflict.ts`,
    find: "const never = before.state === 'never' && !mutation.seen",
    replace: "const never = mutation.operation === 'update' || (before.state === 'never' && !mutation.seen)",
    seed: 11,
  },
  {
    law: 'a delete of a removed object needs no call',
    file: `${SERVER}/push/find-conflict.ts`,
    find: "const never = before.state === 'never' && !mutation.seen",
    replace: "const never = mutation.operation === 'delete' || (before.state === 'never' && !mutation.seen)",
    seed: 31,
  },
  {
    law: 'of a full update only the changed attributes conflict',
    file: `${SERVER}/push/find-conflict.ts`,
    find: 'const names = changed ?? Object.keys(attributes)\n  return',
    replace: 'const names = Object.keys(changed ? attributes : attributes)\n  return',
    about: 'retries',
    seed: 5,
  },
  {
    law: 'a full update brings what others changed as they changed it',
    file: `${SERVER}/push/find-conflict.ts`,
    find: 'full: { ...present, ...changes }',
    replace: 'full: { ...present, ...attributes }',
    about: 'retries',
    seed: 5,
  },
  {
    law: 'a full update brings no removed attribute back',
    file: `${SERVER}/push/find-conflict.ts`,
    find: 'full: { ...present, ...changes }',
    replace: 'full: { ...attributes, ...present, ...changes }',
    about: 'retries',
    seed: 35,
  },
  {
    law: 'a full update brings all attributes',
    file: `${SERVER}/push/find-conflict.ts`,
    find: 'full: { ...present, ...changes }',
    replace: 'full: changes',
    about: 'retries',
    seed: 5,
  },
]
