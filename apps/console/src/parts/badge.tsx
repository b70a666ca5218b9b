import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain'

interface BadgeProps {
  readonly tone?: Tone
  readonly dot?: boolean
  readonly children: ReactNode
}

/** A status label. Its colour only repeats the text. */
export const Badge = ({ tone = 'plain', dot = false, children }: BadgeProps): ReactNode => (
  <span className={`badge ${tone}`}>
    {dot && <span className="dot" />}
    {children}
  </span>
)
