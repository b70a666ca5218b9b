import type { Terminal } from '../terminal.js'

export interface Progress {
  readonly source: string
  /** Objects received in this run. */
  readonly received: number
  /** Objects that the source has in all. */
  readonly total: number
}

export interface ProgressBar {
  show(progress: Progress): void
  /** Ends the line. Calling it twice is harmless. */
  end(): void
}

const BAR_WIDTH = 24

/** A progress bar with count and rate, redrawn in place; prints nothing if the terminal is not interactive. */
export function progressBar({ interactive, error, columns }: Terminal, now: () => number = Date.now): ProgressBar {
  const began = now()
  let drawn = false
  return {
    show(progress) {
      if (!interactive) return
      drawn = true
      error(`\r\u001b[K${line(progress, (now() - began) / 1000).slice(0, columns - 1)}`)
    },
    end() {
      if (drawn) error('\n')
      drawn = false
    },
  }
}

/** `City  ████████░░░░░░░░  50 %  69,199 of 138,398  80,123/s` */
export function line({ source, received, total }: Progress, seconds: number): string {
  const share = total === 0 ? 1 : Math.min(received / total, 1)
  const full = Math.round(share * BAR_WIDTH)
  const rate = seconds > 0 ? Math.round(received / seconds) : 0
  const bar = '\u2588'.repeat(full) + '\u2591'.repeat(BAR_WIDTH - full)
  return `${source}  ${bar}  ${Math.floor(share * 100)} %  ${formatCount(received)} of ${formatCount(total)}  ${formatCount(rate)}/s`
}

const formatCount = (count: number): string => count.toLocaleString('en-US')
