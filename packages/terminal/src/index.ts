export { plainLine } from './plain-line.js'
export { type TableStyle, table } from './table.js'
