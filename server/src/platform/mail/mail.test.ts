import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { drippingServer } from '../../../../test/support/network/dripping-server.ts'
import { smtpServer } from '../../../../test/support/network/smtp.ts'
import { idSource } from '../../kernel/ids.ts'
import { palettesOf } from '../../kernel/palette.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { JobRunner, listDeadJobs, retryDeadJob } from '../jobs/index.ts'
import { logger } from '../observe/logger.ts'
import { type Database, statement } from '../postgres/index.ts'
import {
  composeMail,
  type MailSender,
  mailJobs,
  pageOfMails,
  readMail,
  sendMail,
  smtpTransport,
  sweepMails,
} from './index.ts'
import { withLetterhead } from './letterhead.ts'

const DAY_MS = 86_400_000
const clock = testClock()
const ids = idSource(clock, systemRandomness())
const logged: string[] = []
const log = logger('info', { write: (line: string) => void logged.push(line) })

const words = {
  language: 'en',
  siteName: 'Market & Sons',
  title: 'Your password',
  paragraphs: ['Somebody asked for a new <password>.'],
  action: { label: 'Choose a password', url: 'https://pages.example/reset?token=abc&locale=en' },
  closing: ['The link works for 20 minutes.'],
}
const letterhead = {
  name: 'Havelton <Pottery>',
  stores: ['Havelton <Pottery>'],
  logoUrl: '/media/logo.svg',
  colors: palettesOf({ primaryColor: '#8f4526', backgroundColor: '#fbf7f0', textColor: '#2a211b' }),
  imprint: ['Havelton Pottery GmbH', 'Am Kai 3, 20457 Hamburg', 'VAT ID: DE123456789'],
  footer: [
    { label: 'hello@havelton.example', url: 'mailto:hello@havelton.example' },
    { label: 'Imprint', url: 'https://pages.example/legal?document=leg_1' },
  ],
  publicUrl: 'https://api.example',
  sender: { name: 'Havelton: Pottery', address: null, replyTo: 'hello@havelton.example' },
}
const mail = {
  kind: 'accounts.reset',
  recipient: 'ada@example.com',
  locale: 'en',
  subject: 'Your password – märkte',
  bodies: composeMail(words),
}
const kept = statement<{ readonly body_text: string; readonly body_html: string }>(
  'test.kept',
  'select body_text, body_html from mails',
)
const clear = statement('test.clear', 'with gone as (delete from mails) delete from jobs')

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})
beforeEach(async () => {
  logged.length = 0
  await database.transaction(async (tx) => tx.write(clear, []))
})

const post = (recipient = mail.recipient) =>
  database.transaction(async (tx) => sendMail(tx, { ...mail, recipient }, { ids, now: clock.now() }))
const work = (url: string | null, sender = letterhead.sender as MailSender, callMsMax?: number) => {
  const transport = url === null ? null : smtpTransport({ url, from: 'Market <no-reply@market.example>' })
  return new JobRunner(
    mailJobs(
      transport,
      async () => ({ ...letterhead, sender }),
      async (_database, attached) => [
        { filename: `${attached}.pdf`, contentType: 'application/pdf', content: Buffer.from('%PDF') },
      ],
    ),
    { database, clock, ids, log, ...(callMsMax !== undefined && { callMsMax }) },
  ).runDue()
}
const heads = () => pageOfMails(database.reader, { like: null, status: null, storeId: null, after: null, limit: 10 })

/** A PNG image. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

describe('a mail', () => {
  test('is sent with both bodies, which are then erased', async () => {
    await using server = await smtpServer()
    await post()
    await work(server.url)
    const [got, ...more] = server.received
    assert.deepEqual([got?.from, got?.to, more], ['no-reply@market.example', ['ada@example.com'], []])
    assert.match(got!.raw, /^Subject: =\?UTF-8\?/m)
    assert.match(got!.raw, /^Message-ID: <mail_\w+@market\.example>\r$/m)
    // The name of the store, from the address of the installation.
    assert.match(got!.raw, /^From: "Havelton: Pottery" <no-reply@market\.example>\r$/m)
    assert.match(got!.raw, /^Reply-To: hello@havelton\.example\r$/m)
    assert.match(got!.raw, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(got!.raw, /Content-Type: text\/plain; charset=utf-8/)
    assert.match(got!.raw, /Content-Type: text\/html; charset=utf-8/)
    const [head] = await heads()
    assert.equal(head?.status, 'sent')
    assert.equal((await readMail(database.reader, head!.id))?.body_text, null)
  })

  test('with a subject that is too long ends it between two characters', async () => {
    await database.transaction(async (tx) =>
      sendMail(tx, { ...mail, subject: `${'x'.repeat(198)}🥣🥣` }, { ids, now: clock.now() }),
    )
    assert.equal((await heads())[0]?.subject, `${'x'.repeat(198)}…`)
  })

  test('has the attachments that it was sent with', async () => {
    await using server = await smtpServer()
    const at = { ids, now: clock.now() }
    await database.transaction(async (tx) => sendMail(tx, { ...mail, attached: '2026-00001' }, at))
    await work(server.url)
    const [got] = server.received
    assert.match(got!.raw, /^Content-Type: application\/pdf; name=2026-00001\.pdf\r$/m)
    assert.ok(got!.raw.includes(Buffer.from('%PDF').toString('base64')))
  })

  test('with a picture in a data URL has it attached, because clients show no data URLs', async () => {
    await using server = await smtpServer()
    const html = mail.bodies.html.replace('</body>', `<img src="data:image/png;base64,${PIXEL}" alt="Code"></body>`)
    await database.transaction(async (tx) =>
      sendMail(tx, { ...mail, bodies: { ...mail.bodies, html } }, { ids, now: clock.now() }),
    )
    await work(server.url)
    const [got] = server.received
    const id = /^Content-Id: <([^>]+)>\r$/im.exec(got!.raw)?.[1]
    const decoded = got!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    assert.ok(id && decoded.includes(`src="cid:${id}"`), got!.raw)
    assert.ok(got!.raw.replaceAll('\r\n', '').includes(PIXEL) && !decoded.includes('data:image'))
    assert.match(got!.raw, /Content-Disposition: inline/)
  })

  test('is from the address of its store, and bounces to that of the installation', async () => {
    await using server = await smtpServer()
    await post()
    await work(server.url, { name: null, address: 'shop@havelton.example', replyTo: null })
    const [got] = server.received
    assert.equal(got?.from, 'no-reply@market.example')
    assert.match(got!.raw, /^From: Market <shop@havelton\.example>\r$/m)
    assert.doesNotMatch(got!.raw, /^Reply-To/m)
  })

  test('is sent once, however often its job runs', async () => {
    await using server = await smtpServer()
    await post()
    await Promise.all([work(server.url), work(server.url)])
    await work(server.url)
    assert.equal(server.received.length, 1)
  })

  test('is not sent if its transaction is rolled back', async () => {
    await using server = await smtpServer()
    const undone = database.transaction(async (tx) => {
      sendMail(tx, mail, { ids, now: clock.now() })
      throw new Error('undone')
    })
    await assert.rejects(undone)
    await work(server.url)
    assert.deepEqual([server.received, await heads()], [[], []])
  })

  test('stays in the mailbox with its bodies if there is no SMTP server', async () => {
    await post()
    await work(null)
    const [head] = await heads()
    assert.deepEqual([head?.status, head?.kind, head?.recipient], ['kept', 'accounts.reset', 'ada@example.com'])
    const { body_text: text } = (await readMail(database.reader, head!.id))!
    assert.equal(text!.split('\n-- \n')[0], mail.bodies.text.split('\n-- \n')[0])
  })

  test('is retried while the server is unreachable, and fails after the last attempt', async () => {
    const url = await (async () => {
      await using server = await smtpServer()
      return server.url
    })()
    await post()
    await work(url)
    const [waiting] = await heads()
    assert.equal(waiting?.status, 'waiting')
    assert.match(waiting?.last_error ?? '', /ECONNECTION|ESOCKET|ECONNREFUSED/)
    for (let tries = 1; tries < 8; tries += 1) {
      clock.advance(DAY_MS)
      await work(url)
    }
    assert.equal((await heads())[0]?.status, 'failed')
  })

  test('that failed after the last attempt is sent when an operator retries its job', async () => {
    const url = await (async () => {
      await using server = await smtpServer()
      return server.url
    })()
    await post()
    for (let tries = 0; tries < 8; tries += 1) {
      await work(url)
      clock.advance(DAY_MS)
    }
    const [job] = await listDeadJobs(database.reader, 10)
    await database.transaction(async (tx) => retryDeadJob(tx, job!.id, clock.now()))
    await using server = await smtpServer()
    await work(server.url)
    assert.equal(server.received.length, 1)
    const [head] = await heads()
    assert.deepEqual([head?.status, head?.last_error], ['sent', null])
  })

  test('is given up and retried before its lease ends, if the server drips its answer', {
    timeout: 30_000,
  }, async () => {
    await using server = await drippingServer('', { greeting: '220 mail.example\r\n', drop: '250-more\r\n' })
    await post()
    await work(`smtp://127.0.0.1:${server.port}`, undefined, 200)
    const [head] = await heads()
    assert.deepEqual([head?.status, head?.last_error], ['waiting', 'EABORT'])
    await server.allClosed()
  })

  test('is retried after a temporary rejection, and not after a permanent one', async () => {
    await using server = await smtpServer({ 'later@example.com': 451, 'never@example.com': 550 })
    await post('later@example.com')
    await post('never@example.com')
    await work(server.url)
    const found = Object.fromEntries((await heads()).map((each) => [each.recipient, each]))
    assert.deepEqual([found['later@example.com']?.status, found['never@example.com']?.status], ['waiting', 'failed'])
    assert.match(found['never@example.com']?.last_error ?? '', /answered 550/)
  })

  test('waits while the server refuses the sender, which an operator can mend', async () => {
    await post()
    await using atOnce = await smtpServer({}, { sender: 550 })
    await work(atOnce.url)
    const [first] = await heads()
    assert.deepEqual([first?.status, first?.last_error], ['waiting', 'EENVELOPE at MAIL, answered 550'])

    clock.advance(DAY_MS)
    await using later = await smtpServer({ 'ada@example.com': '553 5.7.1 Sender address rejected: not owned by user' })
    await work(later.url)
    const [second] = await heads()
    assert.deepEqual([second?.status, second?.last_error], ['waiting', 'EENVELOPE at RCPT, answered 553 5.7.1'])

    clock.advance(DAY_MS)
    await using mended = await smtpServer()
    await work(mended.url)
    assert.equal((await heads())[0]?.status, 'sent')
  })

  test('is not retried if its recipient does not exist', async () => {
    await using server = await smtpServer({ 'ada@example.com': '550 5.1.1 No such user' })
    await post()
    await work(server.url)
    const [head] = await heads()
    assert.deepEqual([head?.status, head?.last_error], ['failed', 'EENVELOPE at RCPT, answered 550 5.1.1'])
  })

  test('leaves no address in the log, whatever the server responds', async () => {
    await using server = await smtpServer({ 'later@example.com': 451, 'never@example.com': 550 })
    await post('later@example.com')
    await post('never@example.com')
    await post()
    await work(server.url)
    assert(logged.length > 0)
    assert.doesNotMatch(logged.join(), /@example\.com/)
  })

  test('is deleted after its retention period', async () => {
    await post()
    const swept = (before: Date) => database.transaction((tx) => tx.change(sweepMails, [before]))
    assert.equal(await swept(clock.now()), 0)
    assert.equal(await swept(new Date(clock.now().getTime() + 1)), 1)
  })
})

describe('a delivered mail', () => {
  test('has the name, logo and colors of its sender, and contact and imprint at the end', async () => {
    await post()
    await work(null)
    const [row] = await database.reader.rows(kept, [])
    assert.match(
      row!.body_text,
      /\n-- \nHavelton <Pottery>\nHavelton Pottery GmbH\nAm Kai 3, 20457 Hamburg\nVAT ID: DE123456789\nhello@havelton\.example\nImprint: https:\/\/pages\.example\/legal\?document=leg_1\n$/,
    )
    assert.match(
      row!.body_html,
      /<img src="https:\/\/api\.example\/media\/logo\.svg"[^>]*><span dir="auto">Havelton &lt;Pottery&gt;/,
    )
    assert.match(row!.body_html, /VAT ID: DE123456789/)
    assert.match(row!.body_html, /class="button" style="[^"]*background-color:#8f4526;/)
    assert.match(row!.body_html, /prefers-color-scheme:dark/)
    assert.match(row!.body_html, /href="mailto:hello@havelton\.example"/)
    assert.doesNotMatch(row!.body_html, /<!--|<script|17594a/)
  })
})

describe('the content of a mail', () => {
  test('shows payment instructions before the lists, with a picture and its alternative text', () => {
    const payment = {
      heading: 'Payment',
      rows: [{ label: 'Amount', value: '€12.00', isStrong: true }],
      picture: { url: 'https://pages.example/qr.png', alt: 'QR code of the transfer', size: 180 },
    }
    const lists = [{ heading: 'Items', rows: [{ label: '1 × Mug', value: '€12.00' }] }]
    const { text, html } = composeMail({ ...words, payment, lists })
    assert.match(text, /^Payment:\nAmount: €12\.00\n\nItems:\n1 × Mug: €12\.00$/m)
    assert.match(html, /Payment<\/h2>.*alt="QR code of the transfer" width="180" height="180".*Items<\/h2>/s)
  })

  test('keeps a color that is in a text, whatever the colors of the store', () => {
    const { html } = withLetterhead(composeMail({ ...words, paragraphs: ['Paint #17594a'] }), letterhead)
    assert.match(html, /Paint #17594a<\/p>/)
    assert.equal(html.split('#17594a').length - 1, 2)
  })

  test('is the same as text and as HTML, escaped', () => {
    const { text, html } = composeMail(words)
    assert.match(text, /^Your password\n\nSomebody asked for a new <password>\.\n\nChoose a password:\nhttps:\/\/pages/)
    assert.match(html, /Somebody asked for a new &lt;password&gt;\./)
    assert.match(html, /<a class="on" href="https:\/\/pages\.example\/reset\?token=abc&amp;locale=en"/)
  })
})
