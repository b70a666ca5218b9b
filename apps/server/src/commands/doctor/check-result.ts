/** What was found about one thing. */
export interface Finding {
  /** `problem`: the server does not start, or loses something. `warning`: it works, but not as it should. */
  readonly state: 'ok' | 'warning' | 'problem'
  readonly about: string
  readonly says: string
  /** Absent: nothing. */
  readonly todo?: string
}

export const ok = (about: string, says: string): Finding => ({ state: 'ok', about, says })
export const warning = (about: string, says: string, todo: string): Finding => ({ state: 'warning', about, says, todo })
export const problem = (about: string, says: string, todo: string): Finding => ({ state: 'problem', about, says, todo })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
