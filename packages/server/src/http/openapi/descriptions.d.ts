import type { Contract } from './contract.js'

/** The docs of the contract. `scripts/generate.ts` writes the module before builds and tests. */
export declare const descriptions: Contract
