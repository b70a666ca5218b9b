import { expect, test } from '@jest/globals'
import { addressOf, networkOf } from './network.js'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1:8080 ', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:c000:201]:80', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is the address %s', (text, address) => {
  expect(addressOf(text)).toBe(address)
})

test.each([
  '',
  'unknown',
  '_hidden',
  '192.0.2.256',
  '192.0.2.1:port',
  '[::1',
  '::1::2',
  'a:b:c',
  'x'.repeat(10_000),
  '[]:80',
])('%j is no address, and is kept as it is', text => {
  expect([addressOf(text), networkOf(text)]).toEqual([undefined, text])
})

test('addresses of one /64 are one network, those of IPv4 one each', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('[2001:db8:1:2::9]:1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:3::9')).toBe('2001:db8:1:3::/64')
  expect(networkOf('::ffff:192.0.2.1')).toBe(networkOf('192.0.2.1:5'))
})
