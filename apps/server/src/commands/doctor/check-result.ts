/** What was found about one thing. */
export interface CheckResult {
  /** `problem`: the server does not start, or loses something. `warning`: it works, but not as it should. */
  readonly state: 'ok' | 'warning' | 'problem'
  readonly about: string
  readonly says: string
  /** Absent: nothing. */
  readonly todo?: string
}

export const ok = (about: string, says: string): CheckResult => ({ state: 'ok', about, says })
export const warning = (about: string, says: string, todo: string): CheckResult => ({
  state: 'warning',
  about,
  says,
  todo,
})
export const problem = (about: string, says: string, todo: string): CheckResult => ({
  state: 'problem',
  about,
  says,
  todo,
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
