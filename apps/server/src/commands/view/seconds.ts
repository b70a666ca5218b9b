/** A duration as people read it: `0.4 ms`, `12 ms`, `1.5 s`. */
export function seconds(duration: number): string {
  if (duration >= 1) return `${duration.toFixed(1)} s`
  const milliseconds = duration * 1000
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}
