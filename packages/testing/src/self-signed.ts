import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.js'

/** A key and a certificate that it signed itself, in PEM. */
export interface SelfSigned {
  readonly key: string
  readonly cert: string
}

/** Returns a certificate for 127.0.0.1 that is valid for two days; undefined where openssl cannot be had. */
export function selfSigned(): SelfSigned | undefined {
  const openssl = findProgram({ names: ['openssl'], debian: 'openssl' })
  if (openssl === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'godwit-certificate-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync(openssl, ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
