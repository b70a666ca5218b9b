import { jest } from '@jest/globals'
import fc from 'fast-check'

// Runs in each test file before its tests.
fc.configureGlobal({ seed: jest.getSeed() })
