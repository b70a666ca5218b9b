import { openWatchedPage } from '../harness/browser.js'
import { useChromium } from '../harness/use-chromium.js'
import { useDriverSuite } from './driver-suite.js'

const chromium = useChromium()
const suite = useDriverSuite()

chromium.test('the driver on files of the origin does all that the suite of drivers asks', async () => {
  const { page } = await openWatchedPage(chromium.browser)
  await page.goto(suite.url)
  await suite.run(page)
})
