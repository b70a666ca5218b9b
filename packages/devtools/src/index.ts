import type { ReactNode } from 'react'
import { type DevtoolsProps, Panel } from './panel.js'

// Bundlers substitute the value and drop the unused branch.
declare const process: { readonly env: { readonly NODE_ENV?: string } }

const nothing = (): ReactNode => null

/** Shows what a device does. Production builds drop it; to keep it, use `@godwit/devtools/always`. */
export const Devtools: (props: DevtoolsProps) => ReactNode = process.env.NODE_ENV === 'production' ? nothing : Panel

export type { DevtoolsProps, TracedDevice } from './panel.js'
