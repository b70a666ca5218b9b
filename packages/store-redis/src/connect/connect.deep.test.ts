import { askRedis, type RunningRedis, startRedis, startRedisCluster, startRedisSentinel, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { readAddress } from '../address.js'
import { describeWithRedis, keeper, pause } from '../redis.fixture.js'
import { connect } from './connect.js'
import { silentServer } from './silent-server.fixture.js'

const kept = keeper()
const silent = async () => `127.0.0.1:${kept(await silentServer()).port}`
const saidNothing = {
  code: 'store_unavailable',
  message: expect.stringMatching(/Cannot use the Redis at .*did not respond/),
}

test('a first connection to silent servers times out, for every kind of deployment', async () => {
  const [one, other] = [await silent(), await silent()]
  const addresses = [`redis://${one}`, `redis-cluster://${one},${other}`, `redis-sentinel://${one},${other}/main`]
  const refusal = { code: 'store_unavailable', message: expect.stringContaining(`Cannot use the Redis at ${one}`) }
  await Promise.all(addresses.map(address => expect(connect(readAddress(address))).rejects.toMatchObject(refusal)))
})

describeWithRedis('a first connection', () => {
  test('to a server that hangs before its check times out', async () => {
    const redis = kept(await startRedis({ requirepass: 'secret' }))
    pause(redis)
    const connecting = connect(readAddress(redis.url.replace('//', '//:secret@')))
    await expect(connecting).rejects.toMatchObject(saidNothing)
  })

  test('to a Cluster uses the nodes that answer', async () => {
    const cluster = kept(await startRedisCluster())
    const [node] = cluster.nodes
    // The client picks a node at random.
    const nodes = [await silent(), await silent(), await silent(), `127.0.0.1:${node?.port}`]
    const handle = await connect(readAddress(`redis-cluster://${nodes.join(',')}`))
    expect(await handle.primaries()).toHaveLength(3)
    await handle.close()
  })

  test('to a Cluster with a hanging primary times out', async () => {
    const cluster = kept(await startRedisCluster())
    const [hangs, ...others] = cluster.nodes as readonly [RunningRedis, ...RunningRedis[]]
    pause(hangs)
    const nodes = others.map(({ port }) => `127.0.0.1:${port}`)
    await expect(connect(readAddress(`redis-cluster://${nodes.join(',')}`))).rejects.toMatchObject(saidNothing)
  })

  test('to a Cluster without a node for a key finds one later', async () => {
    const { nodes, url } = kept(await startRedisCluster())
    const [first] = nodes as readonly [RunningRedis, ...RunningRedis[]]
    const slot = /\d+/.exec(await askRedis(first, 'CLUSTER KEYSLOT {a}'))?.[0]
    await Promise.all(nodes.map(node => askRedis(node, `CLUSTER DELSLOTS ${slot}`)))
    const handle = kept(await connect(readAddress(url)))
    await expect(handle.send('{a}', ['GET', '{a}'])).rejects.toThrow('CLUSTERDOWN')
    await askRedis(first, `CLUSTER ADDSLOTS ${slot}`)
    await until(async () => (await handle.send('{a}', ['SET', '{a}', 'b']).catch(() => 'down')) === 'OK')
  })

  test('to a primary uses a sentinel that answers and knows it', async () => {
    const sentinel = kept(await startRedisSentinel(kept(await startRedis())))
    const away = kept(await silentServer())
    await away.stop()
    const nodes = [await silent(), `127.0.0.1:${away.port}`, `127.0.0.1:${sentinel.port}`].join(',')
    const handle = await connect(readAddress(`redis-sentinel://${nodes}/main`))
    expect(await handle.send('', ['PING'])).toBe('PONG')
    handle.destroy()
    const unknown = connect(readAddress(`redis-sentinel://127.0.0.1:${sentinel.port}/other`))
    await expect(unknown).rejects.toMatchObject({
      message: expect.stringMatching(/knows no primary of the name other/),
    })
  })

  test('to a primary that hangs times out', async () => {
    const primary = kept(await startRedis())
    const sentinel = kept(await startRedisSentinel(primary))
    pause(primary)
    const connecting = connect(readAddress(`redis-sentinel://127.0.0.1:${sentinel.port}/main`))
    await expect(connecting).rejects.toMatchObject(saidNothing)
  })
})
