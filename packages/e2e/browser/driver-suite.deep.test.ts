import { inEachBrowser } from '../harness/in-each-browser.js'
import { useDriverSuite } from './driver-suite.js'

const suite = useDriverSuite()

inEachBrowser(
  ({ test, newProfile }) => {
    test('the driver does all that the suite of drivers asks in a profile on disk', async () => {
      await suite.run(await (await newProfile()).open(suite.url))
    }, 180_000)
  },
  { isOnDisk: true },
)
