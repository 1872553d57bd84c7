import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as a mail server receives it. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/** A mail server on loopback. `answers` has the error code for each address that it refuses. */
export async function smtpServer(answers: Readonly<Record<string, number>> = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const code = answers[address]
      done(code === undefined ? null : Object.assign(new Error(`${address} is not taken`), { responseCode: code }))
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
