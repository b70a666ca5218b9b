import { plainLine } from '@godwit/terminal'
import { command } from './command.js'

export const explain = command({
  summary: 'says why an object is, or is not, on a device',
  parameters: 'SOURCE OBJECT',
  options: {
    user: { takes: 'LOGIN', says: 'whose device; default *, the shared partition of an app source' },
    client: { takes: 'ID', says: 'this client of the user; default: any' },
  },
  examples: ['godwit explain City 456172', 'godwit explain Visit 7 --user ada --client 4f1c…'],
  async run({ words: [source = '', object = ''], options: { user = '*', client }, admin, print }) {
    const { operations } = await admin()
    const explanation = await operations.explain({ source, user, object, ...(client !== undefined && { client }) })
    print(explanation, ({ on_device, findings }) =>
      [
        `On the device: ${on_device.replaceAll('_', ' ')}`,
        ...findings.map(({ message }) => `- ${plainLine(message)}`),
        '',
      ].join('\n'),
    )
  },
})
