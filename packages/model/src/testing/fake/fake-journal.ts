import type { Mutation, Outcome } from '@godwit/protocol'

export interface FakeEntry {
  readonly mutation: Mutation
  decided: boolean
}

/** The mutations of one client and their outcomes. */
export interface FakeJournal {
  readonly mutations: Map<number, FakeEntry>
  readonly outcomes: Outcome[]
  acknowledged: number
}

export const newJournal = (): FakeJournal => ({ mutations: new Map(), outcomes: [], acknowledged: 0 })
