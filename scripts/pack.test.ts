import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { missingDeclarations } from './pack.js'

test('a package lacks the declarations that it names and its build does not have', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-pack-'))
  const entry = { import: { types: './dist/index.d.ts', default: './dist/index.js' } }
  const required = { require: { types: './dist/index.d.cts', default: './dist/index.cjs' } }
  const manifest = { name: 'one', version: '0.1.0', publishConfig: { exports: { '.': { ...entry, ...required } } } }
  try {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist/index.d.ts'), '')
    expect(missingDeclarations({ path: 'packages/one', folder, manifest })).toEqual([join(folder, 'dist/index.d.cts')])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
