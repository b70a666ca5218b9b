import { describe, expect, test } from '@jest/globals'
import { readAddress } from './address.js'

const node = (host: string, port: number) => ({ host, port })

describe('the address of a Redis', () => {
  test.each([
    ['redis://127.0.0.1', { kind: 'single', tls: false, nodes: [node('127.0.0.1', 6379)] }],
    [
      'rediss://ada:p%40ss:word@redis.example:7000/3',
      {
        kind: 'single',
        tls: true,
        nodes: [node('redis.example', 7000)],
        username: 'ada',
        password: 'p@ss:word',
        database: 3,
      },
    ],
    ['redis://:secret@[::1]:6380', { kind: 'single', tls: false, nodes: [node('::1', 6380)], password: 'secret' }],
    ['redis://a?prefix=shop%3A', { kind: 'single', tls: false, nodes: [node('a', 6379)], prefix: 'shop:' }],
    ['redis-cluster://a:1,b:2', { kind: 'cluster', tls: false, nodes: [node('a', 1), node('b', 2)] }],
    ['rediss-cluster://secret@a', { kind: 'cluster', tls: true, nodes: [node('a', 6379)], password: 'secret' }],
    [
      'redis-sentinel://s1,s2:26380/main',
      { kind: 'sentinel', tls: false, nodes: [node('s1', 26_379), node('s2', 26_380)], service: 'main' },
    ],
    [
      'redis-sentinel://ada:one@s/main?sentinel_user=eve&sentinel_password=t%26wo&prefix=shop:',
      {
        kind: 'sentinel',
        tls: false,
        nodes: [node('s', 26_379)],
        username: 'ada',
        password: 'one',
        service: 'main',
        sentinelUsername: 'eve',
        sentinelPassword: 't&wo',
        prefix: 'shop:',
      },
    ],
  ])('%s is read', (address, read) => expect(readAddress(address)).toEqual(read))

  test.each([
    ['http://a', 'got another form'],
    ['redis:a', 'got another form'],
    ['redis://', 'got another form'],
    ['redis://secret@a:1,b:2', 'got 2 servers where one is named'],
    ['redis://secret@a:0', 'got a host or port that is none'],
    ['redis://secret@a:70000', 'got a host or port that is none'],
    ['redis-cluster://secret@a,,b', 'got a host or port that is none'],
    ['redis://secret@a/first', 'a database that is no number'],
    ['redis-cluster://secret@a/1', 'or one of a Cluster'],
    ['redis-sentinel://secret@a', 'got no name'],
    ['redis://secret%zz@a', 'a percent sign that stands for nothing'],
    ['redis://secret@a?db=1', 'got something else'],
    ['redis://secret@a?sentinel_password=secret', 'got sentinel_password without sentinels'],
  ])('%s is refused, and not repeated', (address, came) => {
    expect(() => readAddress(address)).toThrow(came)
    expect(() => readAddress(address)).not.toThrow('secret')
  })
})
