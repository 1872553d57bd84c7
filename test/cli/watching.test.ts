import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { statement } from '@vitrine/server'
import { testDatabase } from '../support/database.ts'
import { command, freePorts, temporaryFolder } from '../support/processes/command.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  env = { DATABASE_URL: url, DATA_DIR: folder, ...(await freePorts()) }
})

const run = (...args: string[]) => command(args, { env })

const SUFFIX = '01k5b7m2q8e9rtv3w4x5y6z7a8'
const [JOB, PAYMENT, INSTALLATION] = [`job_${SUFFIX}`, `pay_${SUFFIX}`, `ins_${SUFFIX}`]

let asked = 0
function sql(text: string): Promise<unknown> {
  asked += 1
  const named = statement(`test.watching_${asked}`, text)
  return database.transaction(async (tx) => tx.write(named, []))
}

/** What bash offers at the end of a line. */
function completed(script: string, line: string): Promise<string[]> {
  const words = line.split(' ')
  const asking = `${script}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`
  return new Promise((resolve, reject) => {
    execFile('bash', ['--norc', '-c', asking], { cwd: folder }, (error, out, err) =>
      error ? reject(new Error(err)) : resolve(out.split('\n').filter((word) => word !== '')),
    )
  })
}

describe('vitrine completion', () => {
  test('completes commands, subcommands and options in bash', async () => {
    const { code, out } = await run('completion', 'bash')
    assert.equal(code, 0)
    assert.deepEqual(await completed(out, 'vitrine or'), ['order'])
    assert.deepEqual(await completed(out, 'vitrine order s'), ['show', 'ship'])
    assert.deepEqual(await completed(out, 'vitrine oauth client create --re'), ['--redirect-uri'])
    // A preceding value and option make no difference.
    assert.deepEqual(await completed(out, 'vitrine --json webhook deliveries --endpoint whe_a --st'), ['--status'])
    assert.deepEqual(await completed(out, 'vitrine completion '), ['bash', 'zsh', 'fish', '--help'])
    assert.deepEqual(await completed(out, 'vitrine nothing-like-it'), [])
  })

  test('completes the same commands in zsh and fish', async () => {
    const [zsh, fish] = await Promise.all([run('completion', 'zsh'), run('completion', 'fish')])
    assert.match(zsh.out, /^#compdef vitrine\n/)
    assert.match(zsh.out, / {4}'order ship'\) offered=\(.*'--tracking:tracking number'/)
    // The text after the first colon is literal.
    assert.match(zsh.out, /'--scopes:catalog:read,checkout:quote,/)
    // Read when it is first needed, from a folder of fpath, it completes at once.
    assert.match(zsh.out, /\nif \[\[ "\$funcstack\[1\]" = _vitrine \]\]; then _vitrine "\$@"\n/)
    assert.match(fish.out, /^complete -c vitrine -n '__vitrine_at "order ship"' -l tracking -d 'tracking number'/m)
  })

  test('exits with 2 for an unknown shell', async () => {
    const { code, err } = await run('completion', 'tcsh')
    assert.equal(code, 2)
    assert.match(err, /Allowed choices are bash, zsh, fish/)
  })
})

describe('vitrine job', () => {
  test('lists dead jobs, and runs one again', async () => {
    assert.equal((await run('job', 'list')).out, 'No job has failed permanently.\n')
    await sql(`insert into jobs (id, kind, subject, run_at, attempts, attempts_max, last_error, dead_at)
      values ('${JOB}', 'mail.deliver', 'mail_a', now(), 8, 8, 'no route to host', now())`)
    const listed = await run('job', 'list')
    assert.match(listed.out, /^job_\w+ .* mail\.deliver +mail_a +8 +no route to host$/m)

    assert.equal((await run('job', 'retry', JOB)).code, 0)
    assert.deepEqual(JSON.parse((await run('job', 'list', '--json')).out), [])
    const again = await run('job', 'retry', JOB)
    assert.deepEqual([again.code, again.err], [1, `vitrine: There is no job "${JOB}".\n`])
  })
})

describe('vitrine payment', () => {
  test('lists payments with an unknown outcome, shows their provider calls, and reconciles at once', async () => {
    assert.equal((await run('payment', 'list')).out, 'No payment is unknown.\n')
    await sql(`insert into installations (id, name, environment, created_at, updated_at)
      values ('${INSTALLATION}', 'A', 'live', now(), now())`)
    await sql(`insert into payment_intents (id, kind, subject_id, purpose, environment, installation_id, provider, amount,
        currency, status, step, due_at, created_at, updated_at)
      values ('${PAYMENT}', 'charge', 'cks_a', 'checkout', 'live', '${INSTALLATION}', 'simulator', 2508, 'EUR', 'unknown', 'capture',
        '2099-01-01', now(), now())`)
    await sql(`insert into payment_attempts (intent_id, number, action, step, sent_at)
      values ('${PAYMENT}', 1, 'send', 'capture', now())`)

    const listed = await run('payment', 'list')
    assert.match(listed.out, /^pay_\w+ +unknown \(capture\) +checkout +cks_a +25\.08 EUR +simulator +1 /m)
    const shown = await run('payment', 'show', PAYMENT)
    assert.match(shown.out, /^pay_\w+ is unknown: charge of 25\.08 EUR for/)
    assert.match(shown.out, / send +capture +none is known$/m)

    // It has no checkout session to settle: only that the payment is due at once matters.
    await run('payment', 'look', PAYMENT)
    const due = statement<{ is_due: boolean }>(
      'test.due',
      'select run_at <= now() as is_due from jobs where subject = $1',
    )
    assert.deepEqual(await database.reader.row(due, [PAYMENT]), { is_due: true })

    await sql(
      `update payment_intents set status = 'succeeded', due_at = null, ended_at = now() where id = '${PAYMENT}'`,
    )
    const ended = await run('payment', 'look', PAYMENT, '--json')
    assert.deepEqual([ended.code, JSON.parse(ended.out)], [0, { id: PAYMENT, status: 'succeeded', ended: true }])

    const absent = await run('payment', 'look', 'pay_absent')
    assert.deepEqual([absent.code, absent.err], [1, 'vitrine: There is no payment "pay_absent".\n'])
    assert.equal((await run('payment', 'list', '--environment', 'both')).code, 2)
  })
})
