import type { ReactNode } from 'react'
import { type DevtoolsProps, Panel } from './panel.js'

// Bundlers substitute the value and leave out the branch that is not taken.
declare const process: { readonly env: { readonly NODE_ENV?: string } }

const nothing = (): ReactNode => null

/** Shows what a device does. In production builds it is nothing, and its code is left out: `@godwit/devtools/always` stays. */
export const Devtools: (props: DevtoolsProps) => ReactNode = process.env.NODE_ENV === 'production' ? nothing : Panel

export type { DevtoolsProps, TracedDevice } from './panel.js'
