/** Who sends: nothing is delivered to a process that is dead. */
export interface Sender {
  readonly name: string
  readonly isDead: boolean
  /** An answer came. */
  touch(): void
}
