import { describeAnyHistory } from './any-history.fixture.js'

describeAnyHistory(12)
