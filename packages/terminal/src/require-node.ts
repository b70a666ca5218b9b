/** Returns why this Node cannot run the program; undefined when it can. Asked before any native module loads: an older Node ends without a word there. */
export function unsupportedNode(program: string, version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return undefined
  return `${program}: expected Node >= 22.18, found ${version}. Install Node 24 (or 22.18 or newer) and run the command again.`
}
