import type { Backend } from './backend.js'

const CROWD = 120

/** So many objects that losing most of them is noticed. */
export function gather(crowd: Backend, newValue: (kind: string) => string): void {
  for (let left = CROWD; left > 0; left--) crowd.write('*', crowd.newId(), { mark: newValue('m') })
}
