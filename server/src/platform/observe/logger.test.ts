import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logger } from './logger.ts'

function written(work: (log: ReturnType<typeof logger>) => void, level = 'info'): string[] {
  const lines: string[] = []
  work(logger(level, { write: (line: string) => void lines.push(line) }))
  return lines
}

const SECRETS = [
  'authorization',
  'dpop',
  'cookie',
  'x-store-access',
  'password',
  'token',
  'accessToken',
  'grant',
  'secret',
  'email',
]

describe('the log', () => {
  test('is one JSON object a line, with its time and without the machine', () => {
    const [line = ''] = written((log) => log.info({ requestId: 'req_1' }, 'answered'))
    const entry = JSON.parse(line)
    assert.deepEqual([entry.msg, entry.requestId, line.endsWith('\n')], ['answered', 'req_1', true])
    assert.match(entry.time, /^\d{4}-\d\d-\d\dT/)
    assert(!('hostname' in entry) && !('pid' in entry))
  })

  for (const name of SECRETS) {
    test(`never holds ${name}, at the top or one step inside`, () => {
      const lines = written((log) => log.info({ [name]: 'hunter2', headers: { [name]: 'hunter2' } }, 'request'))
      assert.doesNotMatch(lines.join(), /hunter2/)
      assert.match(lines.join(), /\[redacted\]/)
    })
  }

  test('keeps the cause of a fault, for us', () => {
    const [line = ''] = written((log) =>
      log.error({ err: new Error('a bug', { cause: new Error('below') }) }, 'failed'),
    )
    assert.match(line, /a bug/)
    assert.match(line, /below/)
  })

  test('holds what its level asks for', () => {
    assert.equal(written((log) => log.debug('quiet')).length, 0)
    assert.equal(written((log) => log.debug('loud'), 'debug').length, 1)
    assert.equal(written((log) => log.fatal('silenced'), 'silent').length, 0)
  })
})
