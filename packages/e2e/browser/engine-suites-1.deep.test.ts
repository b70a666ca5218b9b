import { describeSuites } from './describe-suites.js'
import { partOfSuites } from './engine-suites.js'

describeSuites(partOfSuites(1))
