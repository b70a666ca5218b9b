export {
  firstState,
  type JournalState,
  judgeAcceptance,
  type KeyPosition,
  type Verdict,
  type Verdicts,
} from './accept.js'
export { advancement, judgeAdvance } from './advancement.js'
export { attributesText, parseAttributes, patchText, sameText, sameValue } from './attributes-text.js'
export {
  COMMIT_LIFE,
  type LoggedChange,
  MAX_LISTED,
  maxCommits,
  objectHistory,
  previousOf,
} from './change-log.js'
export { type ChangedObject, changeObject, type StoredText } from './change-object.js'
export { changesByObject, type ObjectChange } from './changes-by-object.js'
export { judgeRemovals, nextQueryAfter, type Removals } from './judge-removals.js'
export { compareIds, storedId } from './object-id.js'
export { type OutcomeFacts, outcomeOf, outcomeWithoutContent } from './outcome.js'
export {
  decidedOwners,
  mayDecide,
  type OwnerCreate,
  type OwnerStanding,
  obstacle,
  ownerStanding,
  type StartFacts,
} from './owners.js'
export { belongsToAnswer, comparePositions, tombstonesAfter, validPosition, ZERO } from './read-from.js'
export { recordEnd } from './record-end.js'
export { nearlySame, RemovedIds } from './removed-ids.js'
export { judgeReplace, type Replacement, replacement } from './replacement.js'
export { rewriteIds, storedMutation, withoutContent } from './rewrite.js'
export { SeenIds } from './seen-ids.js'
export { type FirstStart, type SettledWrite, settledWrite } from './settled-write.js'
export { READ_BYTES, takeRows, takeUpTo } from './take-rows.js'
