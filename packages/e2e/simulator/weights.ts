/** How often each thing happens. */
export const WEIGHTS = {
  edit: 30,
  sync: 28,
  backend: 14,
  plugin: 4,
  wait: 6,
  longWait: 2,
  killServer: 3,
  killDevice: 5,
  secondProcess: 1.5,
  compact: 2,
  nonce: 1,
  drop: 0.7,
  reset: 0.4,
  backUp: 1.2,
  restore: 1,
  forgetClient: 0.8,
  resetDevice: 0.8,
  switchUser: 1.2,
  migrate: 0.8,
  ask: 1.5,
  operator: 1.5,
  // Where a plan of its own wants them.
  meddle: 0,
  takeBack: 0,
  meanwhile: 0,
  rewind: 0,
  syncTwice: 0,
  overtake: 0,
  undo: 0,
  undoDuring: 0,
  editMany: 0,
  overtakeDoubt: 0,
  dropCalled: 0,
  dropQueried: 0,
  compactLate: 0,
}

export type Verb = keyof typeof WEIGHTS

type Weights = { readonly [theme: string]: { readonly [Name in Verb]?: number } }

/** Nothing but what a theme names. */
const ONLY = Object.fromEntries(Object.keys(WEIGHTS).map(verb => [verb, 0])) as { readonly [Name in Verb]: number }

/** What a history is mostly about: rare things meet only where they are not rare. */
export const THEMES: Weights = {
  everything: {},
  restores: { backUp: 12, restore: 12, backend: 24 },
  floors: { compact: 25, backend: 24 },
  processes: { secondProcess: 22, killDevice: 12 },
  conflicts: { edit: 45, sync: 40, wait: 20, backend: 4 },
  late: { longWait: 12, ask: 12, backend: 30 },
  epochs: { drop: 8, reset: 4, nonce: 4, forgetClient: 6, ask: 5 },
  overtaken: { ...ONLY, edit: 8, sync: 15, overtake: 25, operator: 5, meanwhile: 4 },
  orphans: { ...ONLY, edit: 10, sync: 12, dropCalled: 20, meanwhile: 3 },
  renewed: { ...ONLY, edit: 5, sync: 10, dropQueried: 20, backend: 10 },
  many: { ...ONLY, editMany: 20, edit: 10, sync: 25, backend: 8, killDevice: 6, meanwhile: 4, secondProcess: 2 },
  spared: { ...ONLY, overtakeDoubt: 25, operator: 5, meanwhile: 4 },
  undone: { ...ONLY, edit: 20, sync: 20, undoDuring: 25, meanwhile: 4 },
  repeats: { ...ONLY, edit: 20, sync: 20, undo: 25, meanwhile: 10 },
  twins: { ...ONLY, edit: 10, syncTwice: 25, backend: 10, nonce: 6, resetDevice: 3, meanwhile: 3 },
  compactions: { ...ONLY, backend: 5, sync: 5, compactLate: 20 },
  retries: { ...ONLY, edit: 20, sync: 25, meddle: 15, meanwhile: 8 },
  renewals: { ...ONLY, edit: 20, sync: 30, drop: 10, meanwhile: 3 },
  doubts: { ...ONLY, edit: 12, sync: 30, operator: 10, backUp: 8, restore: 8, meanwhile: 8 },
  families: { ...ONLY, edit: 25, sync: 30, meanwhile: 8, killServer: 3 },
  beginnings: { ...ONLY, edit: 10, sync: 30, drop: 8, reset: 5, resetDevice: 5, backend: 10 },
  lostJournals: { ...ONLY, edit: 20, sync: 30, backUp: 10, restore: 10, meanwhile: 6 },
  rewinds: { ...ONLY, edit: 4, sync: 30, rewind: 10, meanwhile: 6 },
  removals: { ...ONLY, edit: 20, sync: 30, meddle: 20 },
  farewells: { ...ONLY, edit: 20, sync: 30, drop: 6, reset: 3, backend: 8 },
  unpolled: { ...ONLY, edit: 20, sync: 25, meddle: 10, takeBack: 8, drop: 3, ask: 5, meanwhile: 8 },
}
