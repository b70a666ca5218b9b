import { openWith } from './godwit.js'

export const open = openWith('LocalItem')
