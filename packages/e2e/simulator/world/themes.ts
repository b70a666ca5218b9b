import { LOGINS, type Plan, type Theme } from './plan.js'

/** Returns the plan with a queue for every source, and without pass-through, whose writes would run with the push. */
export const withQueues = (plan: Plan): Plan => ({
  ...plan,
  sources: plan.sources.map(source => ({ ...source, passThrough: false, queue: 'work' })),
})

/** Returns the plan with settings that make a theme's events coincide more often. */
export function withTheme(plan: Plan, theme: Theme): Plan {
  const together = { ...plan, theme, devices: plan.devices.map(() => LOGINS[0]), crowd: false }
  if (theme === 'conflicts') {
    const troubles = { ...plan.troubles, backend: 0.4, refused: 0 }
    const sources = plan.sources.map(source => ({
      ...source,
      idempotent: true,
      conflict: 'reject' as const,
      passThrough: false,
    }))
    return { ...together, store: 'memory', troubles, sources, creates: 0.1 }
  }
  if (theme === 'late') return { ...together, sources: plan.sources.map(source => ({ ...source, settle: 10 })) }
  return together
}
