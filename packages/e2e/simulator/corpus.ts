import type { Feature, Plan, Scenario } from './world/plan.js'

/** A history that once failed. */
export interface Regression {
  readonly seed: number
  /** The plan, where the seed does not choose it. */
  readonly about?: Scenario | Feature
  /** The store, where the seed does not choose it. */
  readonly store?: Plan['store']
  /** What it showed, in one line. */
  readonly why: string
}

/** Histories that once failed. Append the seed that a run prints, with what it showed; `corpus.deep.test.ts` always runs all of them. */
export const corpus: readonly Regression[] = [
  { seed: 13, about: 'rewinds', why: 'a device that could not get another client id forgot that its own was void' },
  {
    seed: 2690,
    about: 'rewinds',
    why: 'the same, where a journal that went back gives the number of a lost outcome again',
  },
  { seed: 3077, about: 'rewinds', why: 'a device never heard that an outcome was lost; its checksum alone tells' },
  {
    seed: 11,
    about: 'rewinds',
    why: 'a pull waited for its query while the number that it acknowledged was given again',
  },
  { seed: 5006264, why: 'an attribute that was taken back before it was sent leaves nothing to send' },
  { seed: 5051119, why: 'a call that every server had forgotten reached its backend after the query of an operator' },
  { seed: 400001, about: 'automatic', why: 'an automatic poll behind a doubt pulled again and again' },
  { seed: 400050, about: 'administration', why: 'an administrator whose answer was lost repeated a retry blindly' },
  { seed: 41000027, why: 'a user whom one process deleted came back as a collection by a request in another' },
  { seed: 32005264, about: 'listening', why: 'what an outcome had freed was sent only at the next poll' },
  { seed: 22003367, why: 'an update whose outcome came under a new client id was hidden' },
  { seed: 33002321, about: 'teams', why: 'outcomes of former numbers settled changes' },
  { seed: 33002464, about: 'administration', why: 'a backend that hung kept changed settings from being read' },
]
