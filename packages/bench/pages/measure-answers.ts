/** Keeps the page busy with frames, as an app that moves. */
function animate(): void {
  const ball = document.getElementById('ball')
  requestAnimationFrame(function frame(at) {
    if (ball) ball.style.transform = `translateX(${(at / 5) % 400}px)`
    requestAnimationFrame(frame)
  })
}

/** Milliseconds of each task of the page that took over 50. */
const long: number[] = []
new PerformanceObserver(list => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
})

export const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Runs while the page moves and asks: seconds, the longest task over 50 ms, what each call waited. */
export async function measureAnswers(ask: () => Promise<unknown>, run: () => Promise<unknown>) {
  animate()
  long.length = 0
  const waits: number[] = []
  const began = performance.now()
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await ask()
      waits.push(performance.now() - asked)
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
