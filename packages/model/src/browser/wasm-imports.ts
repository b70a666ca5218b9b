/** The page size of WebAssembly. */
const WASM_PAGE_BYTES = 65_536
/** Initial and maximum number of pages, as the module was linked. */
const INITIAL_PAGES = 128
const MAX_PAGES = 32_768
const MEBIBYTE = 1024 * 1024
/** Number of "not supported" in the module's C library. */
const ENOSYS = 52
const EINVAL = 28
/** The only file outside a VFS that SQLite reads, to seed its random numbers. */
const RANDOM_PATH = '/dev/urandom'
const RANDOM_FILE = 3
const NANOSECONDS = 1e6

type ImportFunction = (...values: never[]) => number | undefined

/**
 * The memory of SQLite in WebAssembly and the functions that the module imports: clock, time zone, memory growth and randomness. File access belongs
 * to a VFS.
 */
export function wasmImports(module: WebAssembly.Module): {
  readonly memory: WebAssembly.Memory
  readonly imports: WebAssembly.Imports
} {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES })
  const answers: Record<string, ImportFunction> = { ...clocks(memory), ...heap(memory), ...randomness(memory) }
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {}
    imports[from][name] = kind === 'memory' ? memory : (answers[name] ?? (() => (from === 'env' ? -ENOSYS : ENOSYS)))
  }
  return { memory, imports }
}

function heap(memory: WebAssembly.Memory): Record<string, ImportFunction> {
  return {
    emscripten_get_heap_max: () => MAX_PAGES * WASM_PAGE_BYTES,
    /** Grows by more than requested if possible, because growing is slow. */
    emscripten_resize_heap(requestedBytes: number) {
      const wanted = requestedBytes >>> 0
      const { byteLength } = memory.buffer
      for (const share of [0.2, 0.1, 0.05, 0]) {
        const spare = Math.min(byteLength * (1 + share), wanted + 96 * MEBIBYTE)
        const pages = Math.min(Math.ceil(Math.max(wanted, spare) / WASM_PAGE_BYTES), MAX_PAGES)
        if (pages * WASM_PAGE_BYTES < wanted) return 0
        try {
          memory.grow(pages - byteLength / WASM_PAGE_BYTES)
          return 1
        } catch {}
      }
      return 0
    },
    environ_sizes_get(count: number, bytes: number) {
      const view = new DataView(memory.buffer)
      view.setUint32(count, 0, true)
      view.setUint32(bytes, 0, true)
      return 0
    },
    environ_get: () => 0,
  }
}

function randomness(memory: WebAssembly.Memory): Record<string, ImportFunction> {
  const isRandom = (path: number): boolean => {
    const bytes = new Uint8Array(memory.buffer, path, RANDOM_PATH.length + 1)
    return String.fromCharCode(...bytes) === `${RANDOM_PATH}\0`
  }
  return {
    __syscall_openat: (_: number, path: number) => (isRandom(path) ? RANDOM_FILE : -ENOSYS),
    fd_read(file: number, buffers: number, count: number, read: number) {
      if (file !== RANDOM_FILE) return ENOSYS
      const view = new DataView(memory.buffer)
      let all = 0
      for (let at = buffers; at < buffers + count * 8; at += 8) {
        const bytes = view.getUint32(at + 4, true)
        crypto.getRandomValues(new Uint8Array(memory.buffer, view.getUint32(at, true), bytes))
        all += bytes
      }
      view.setUint32(read, all, true)
      return 0
    },
    fd_close: (file: number) => (file === RANDOM_FILE ? 0 : ENOSYS),
  }
}

/** The offset from UTC, in minutes, at the beginning of January and of July. */
const offsetsOf = (year: number): readonly [winter: number, summer: number] => [
  new Date(year, 0, 1).getTimezoneOffset(),
  new Date(year, 6, 1).getTimezoneOffset(),
]

function zoneName(offset: number): string {
  const minutes = Math.abs(offset)
  const digits = (value: number): string => String(value).padStart(2, '0')
  return `UTC${offset >= 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}${digits(minutes % 60)}\0`
}

function clocks(memory: WebAssembly.Memory): Record<string, ImportFunction> {
  const write = (text: string, to: number): void =>
    void new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, to))
  return {
    emscripten_date_now: () => Date.now(),
    emscripten_get_now: () => performance.now(),
    clock_time_get(clock: number, _precision: bigint, time: number) {
      if (clock < 0 || clock > 3) return EINVAL
      const now = clock === 0 ? Date.now() : performance.now()
      new DataView(memory.buffer).setBigInt64(time, BigInt(Math.round(now * NANOSECONDS)), true)
      return 0
    },
    _tzset_js(zone: number, daylight: number, standardName: number, daylightName: number) {
      const [winter, summer] = offsetsOf(new Date().getFullYear())
      const view = new DataView(memory.buffer)
      view.setUint32(zone, Math.max(winter, summer) * 60, true)
      view.setInt32(daylight, Number(winter !== summer), true)
      write(zoneName(winter), summer < winter ? standardName : daylightName)
      write(zoneName(summer), summer < winter ? daylightName : standardName)
      return undefined
    },
    /** Fills C's `struct tm`. */
    _localtime_js(seconds: bigint, to: number) {
      const date = new Date(Number(seconds) * 1000)
      const [winter, summer] = offsetsOf(date.getFullYear())
      const offset = date.getTimezoneOffset()
      const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 1)
      const isDaylight = summer !== winter && offset === Math.min(winter, summer)
      const fields = [
        date.getSeconds(),
        date.getMinutes(),
        date.getHours(),
        date.getDate(),
        date.getMonth(),
        date.getFullYear() - 1900,
        date.getDay(),
        day / 86_400_000,
        Number(isDaylight),
        -offset * 60,
      ]
      new Int32Array(memory.buffer, to, fields.length).set(fields)
      return undefined
    },
  }
}
