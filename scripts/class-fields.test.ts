import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { checkClassFields } from './build.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-class-fields-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a build whose class fields became methods is refused', () => {
  writeFileSync(join(folder, 'kept.cjs'), 'class A { registry = 1; #registers = [this.registry] }')
  expect(() => checkClassFields(folder)).not.toThrow()
  writeFileSync(
    join(folder, 'rewritten.cjs'),
    'class A {constructor() { A.prototype.__init.call(this); }__init() {this.registry = 1} #registers = [this.registry]}',
  )
  expect(() => checkClassFields(folder)).toThrow('rewritten.cjs: expected class fields as they are in the sources')
})
