import { MODEL, type Mutant, SERVER } from './mutant.js'

/** Automatic syncs of a device. */
export const automaticMutants: readonly Mutant[] = [
  {
    law: 'one process synchronizes a device at a time',
    file: `${MODEL}/sync/runner.ts`,
    in: 'Runner.#runLocked',
    find: 'if (!$RELEASE) throw $ERROR',
    replace: 'if (!this.#syncing.drive) throw $ERROR',
    about: 'twins',
    seed: 8,
  },
  {
    law: 'what the app writes leaves by itself',
    file: `${MODEL}/schedule/automatic.ts`,
    in: 'Automatic.wrote',
    find: 'if ($SYNCED.has($MODEL)) this.#sender.wrote($MODEL, $OPTIONS)',
    replace: 'if ($SYNCED.has($MODEL) && $OPTIONS.isEcho) this.#sender.wrote($MODEL, $OPTIONS)',
    about: 'listening',
    seed: 5,
  },
  {
    law: 'a device syncs as soon as somebody is logged in',
    file: `${MODEL}/schedule/sync-schedule.ts`,
    in: 'Schedule.start',
    find: `{
      $$$BEFORE
      this.#isOpening = true
      this.#wait(0)
    }`,
    replace: `{
      $$$BEFORE
      this.#wait(this.#seconds * 1000)
    }`,
    about: 'listening',
    seed: 1,
  },
  {
    law: 'all is synced where a back-off ends',
    file: `${MODEL}/schedule/sync-schedule.ts`,
    in: 'Schedule.ended',
    find: 'this.#wait(Math.floor($$$))',
    replace: 'this.#wait(this.#seconds * 1000)',
    about: 'listening',
    seed: 3,
  },
  {
    law: 'what failed is tried again',
    file: `${MODEL}/schedule/sync-schedule.ts`,
    in: 'Schedule.ended',
    find: 'this.#wait(this.#backOff.failed($AFTER))',
    replace: 'this.#backOff.failed($AFTER)',
    about: 'listening',
    seed: 3,
  },
  {
    law: 'a stream of events begins with where the server stands',
    file: `${SERVER}/device/events/event-stream.ts`,
    in: 'EventStream.#check',
    find: 'true',
    replace: 'false',
    about: 'listening',
    seed: 6,
  },
  {
    law: 'who lacks what the server tells pulls it',
    file: `${MODEL}/schedule/automatic.ts`,
    in: 'Automatic.#lacking',
    find: '$HINT === undefined || !hasAll($MODEL, $HINT)',
    replace: '$HINT === undefined',
    about: 'listening',
    seed: 1,
  },
  {
    law: 'a refused login leaves the sync of a device as it was',
    file: `${MODEL}/sdk/accounts.ts`,
    in: 'begin',
    find: 'if ($SESSION.token !== null) $AUTOMATIC.begin()',
    replace: '',
    about: 'listening',
    seed: 31,
  },
  {
    law: 'idle devices send no requests',
    file: `${MODEL}/schedule/sync-schedule.ts`,
    in: 'Schedule.ended',
    find: 'this.#wait(this.#seconds * 1000)',
    replace: 'this.#wait(1000)',
    about: 'automatic',
    seed: 1,
  },
]
