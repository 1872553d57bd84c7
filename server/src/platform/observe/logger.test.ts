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
  test('is one JSON object per line, with the time and without the host', () => {
    const [line = ''] = written((log) => log.info({ requestId: 'req_1' }, 'answered'))
    const entry = JSON.parse(line)
    assert.deepEqual([entry.msg, entry.requestId, line.endsWith('\n')], ['answered', 'req_1', true])
    assert.match(entry.time, /^\d{4}-\d\d-\d\dT/)
    assert(!('hostname' in entry) && !('pid' in entry))
  })

  for (const name of SECRETS) {
    test(`never contains ${name}, at the top level or one level below`, () => {
      const lines = written((log) => log.info({ [name]: 'hunter2', headers: { [name]: 'hunter2' } }, 'request'))
      assert.doesNotMatch(lines.join(), /hunter2/)
      assert.match(lines.join(), /\[redacted\]/)
    })
  }

  test('contains the cause of an error', () => {
    const [line = ''] = written((log) =>
      log.error({ err: new Error('a bug', { cause: new Error('below') }) }, 'failed'),
    )
    assert.match(line, /a bug/)
    assert.match(line, /below/)
  })

  test('contains the position of an error, and not the row', () => {
    const failed = Object.assign(new Error('a row that cannot be'), {
      code: '23514',
      constraint: 'customers_check',
      detail: 'Failing row contains (hunter2)',
      where: 'COPY customers, line 1: "hunter2"',
    })
    const lines = written((log) => log.error({ err: new Error('failed', { cause: failed }) }, 'failed'))
    assert.match(lines.join(), /"code":"23514".*"constraint":"customers_check"/)
    assert.doesNotMatch(lines.join(), /hunter2/)
  })

  for (const [what, text, kept] of [
    [
      'an email address',
      '550 5.1.1 <ada.o-neill+shop@mail.example.com>: unknown',
      /550 5\.1\.1 <\[address\]>: unknown/,
    ],
    ['a password in a URL', 'postgres://vitrine:hunter2@db/shop', /postgres:\/\/\[redacted\]@db\/shop/],
    ['an API key', `sfk_live_${'hunter2'.repeat(7)}`, /sfk_live_\[redacted\]/],
    ['a webhook secret', `whsec_${'hunter2'.repeat(6)}==`, /whsec_\[redacted\]/],
    ['a bearer token', 'sent Bearer hunter2hunter2', /sent Bearer \[redacted\]/],
    ['the token of a link', `?token=${`hunter2${'x'.repeat(36)}`}`, /\?token=\[token\]/],
    ['a JWT', 'eyJhbGciOiJFUzI1NiJ9.hunter2.hunter2', /\[jwt\]/],
  ] as const) {
    test(`never contains ${what}, in any text`, () => {
      const lines = written((log) => log.error({ err: new Error(text), reason: text }, text))
      assert.doesNotMatch(lines.join(), /hunter2|ada/)
      assert.match(lines.join(), kept)
    })
  }

  test('contains the lines of its level', () => {
    assert.equal(written((log) => log.debug('quiet')).length, 0)
    assert.equal(written((log) => log.debug('loud'), 'debug').length, 1)
    assert.equal(written((log) => log.fatal('silenced'), 'silent').length, 0)
  })
})
