import { testAnyChange } from './any-change.fixture.js'

testAnyChange(200)
