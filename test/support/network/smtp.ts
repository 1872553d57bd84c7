import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as a mail server receives it. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/**
 * A mail server on loopback. `answers` has the error code for each recipient that it refuses, with a text if there is one; `sender`
 * has the error code if it refuses the sender, `password` the only one that it accepts.
 */
export async function smtpServer(
  answers: Readonly<Record<string, number | `${number} ${string}`>> = {},
  { sender, password }: { readonly sender?: number; readonly password?: string } = {},
) {
  const received: Received[] = []
  const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(login, _session, done) {
      const isRight = password !== undefined && login.password === password
      done(isRight ? null : refusal(535, '5.7.8 authentication failed'), { user: login.username })
    },
    onMailFrom({ address }, _session, done) {
      done(sender === undefined ? null : refusal(sender, `${address} is not taken`))
    },
    onRcptTo({ address }, _session, done) {
      const [code, text = `${address} is not taken`] = String(answers[address] ?? '').split(/ (.*)/s)
      done(code ? refusal(Number(code), text) : null)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}
