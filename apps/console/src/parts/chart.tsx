import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

interface ChartProps {
  /** Unix seconds. */
  readonly times: readonly number[]
  /** At most two curves. */
  readonly curves: readonly (readonly number[])[]
  readonly names: readonly string[]
}

const HEIGHT = 230
const COLOURS = ['--accent', '--second']

/** Curves over time, in the colours of the theme. */
export function Chart({ times, curves, names }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  useEffect(() => {
    const place = box.current
    if (!place) return
    const data = [times, ...curves] as unknown as uPlot.AlignedData
    if (plot.current) return plot.current.setData(data)
    plot.current = new uPlot(optionsOf(place, names), data, place)
  }, [times, curves, names])
  useEffect(() => {
    const place = box.current
    if (!place) return
    const fit = new ResizeObserver(() => plot.current?.setSize({ width: place.clientWidth, height: HEIGHT }))
    fit.observe(place)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = (): void => plot.current?.redraw()
    scheme.addEventListener('change', redraw)
    return () => {
      fit.disconnect()
      scheme.removeEventListener('change', redraw)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [])
  return <div className="chart" ref={box} role="img" aria-label={summary(names, curves)} />
}

/** Describes the curves for screen readers. */
const summary = (names: readonly string[], curves: ChartProps['curves']): string =>
  names
    .map((name, place) => {
      const curve = curves[place] ?? []
      return `${name}: at most ${Math.max(0, ...curve).toFixed(2)}, last ${(curve.at(-1) ?? 0).toFixed(2)}`
    })
    .join('. ')

/** Resolves a colour of the theme for a canvas. */
function colour(place: Element, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  place.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The date at midnight, otherwise the time of day. */
function timeText(time: number): string {
  const at = new Date(time * 1000)
  return at.getHours() + at.getMinutes() === 0 ? DAY.format(at) : CLOCK.format(at)
}

function optionsOf(place: HTMLElement, names: readonly string[]): uPlot.Options {
  const soft = (): string => colour(place, '--ink-soft')
  const line = (): string => colour(place, '--line')
  const axis: uPlot.Axis = {
    stroke: soft,
    font: '12px Inter, system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { points: { size: 7 } },
    // The scale follows the maximum, because a busy hour within thirty days is a small rate and must remain visible.
    scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.15 : 1] } },
    axes: [
      { ...axis, values: (_, times) => times.map(timeText) },
      { ...axis, size: 52 },
    ],
    series: [
      {},
      ...names.map((label, index) => {
        const name = COLOURS[index] ?? '--accent'
        const stroke = (): string => colour(place, name)
        const fill = (): string => colour(place, name).replace(/^rgb\((.*)\)$/, 'rgb($1, 0.09)')
        return { label, stroke, fill, width: 2, points: { show: false } }
      }),
    ],
  }
}
