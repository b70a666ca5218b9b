export { type DevtoolsProps, Panel as Devtools, type TracedDevice } from './panel.js'
