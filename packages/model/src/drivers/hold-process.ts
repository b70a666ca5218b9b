const LONG = 2 ** 30

/** Keeps the process alive until what it returns is called. */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, LONG)
  return () => clearInterval(timer)
}
