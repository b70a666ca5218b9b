import { describeDriver } from '@godwit/model/driver-suite'
import { openPlace } from './places.js'
import { describe, expect, runAll, test } from './runner.js'
import { serve } from './serve.js'

describe('the driver of SQLite in WebAssembly, on files of the origin', () => {
  describeDriver({ describe, test, expect: expect as never, open: openPlace })
})
serve({ run: runAll })
