/** Waits for what ends, but no longer than so many milliseconds: then it goes on by itself. */
export async function within(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
