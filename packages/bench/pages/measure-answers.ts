/** Animates the page, as a busy app would. */
function animate(): void {
  const ball = document.getElementById('ball')
  requestAnimationFrame(function frame(at) {
    if (ball) ball.style.transform = `translateX(${(at / 5) % 400}px)`
    requestAnimationFrame(frame)
  })
}

/** Durations in milliseconds of tasks over 50 ms. */
const long: number[] = []
new PerformanceObserver(list => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
})

export const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Measures a run while the page animates and makes calls: seconds, the longest task over 50 ms, and the waiting time of each call. */
export async function measureAnswers(ask: () => Promise<unknown>, run: () => Promise<unknown>) {
  animate()
  long.length = 0
  const waits: number[] = []
  const began = performance.now()
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const requested = performance.now()
      await ask()
      waits.push(performance.now() - requested)
      await pause(10)
    }
  })()
  await run()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await asking
  await pause(100)
  return { seconds, longest: Math.max(0, ...long), waits }
}
