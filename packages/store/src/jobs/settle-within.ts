/** Waits for the work to end, but no longer than the given milliseconds: then it continues by itself. */
export async function within(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
