/**
 * Receives webhooks: verifies each request, handles each event once, and answers immediately.
 *
 *   VITRINE_WEBHOOK_SECRET=whsec_… npx node docs/guides/verifying-webhooks.ts
 */
import { createServer } from 'node:http'
import { type WebhookEvent, WebhookVerificationError, webhookVerifier } from '@vitrine/sdk'

interface ReceiverDeps {
  /** Both secrets while one is rotated. */
  readonly secrets: readonly string[]
  /** Processes an event. Once it has succeeded, it is not called again for the same event. */
  readonly handle: (event: WebhookEvent) => Promise<void>
  readonly now?: () => Date
}

/** A receiver as a function from a request to its response, which Node’s servers, workers and frameworks all accept. */
export function receiver({ secrets, handle, now }: ReceiverDeps): (request: Request) => Promise<Response> {
  const verifier = webhookVerifier({ secret: secrets, ...(now && { now }) })
  // A shop stores these ids in the same transaction as its work on the event. Thirty days are enough.
  const handled = new Map<string, Promise<void>>()

  /** An event that is sent again while it is handled has the result of the first one: it must not be acknowledged before. */
  function once(event: WebhookEvent): Promise<void> {
    const known = handled.get(event.id)
    if (known) return known
    const work = handle(event)
    handled.set(event.id, work)
    work.catch(() => handled.delete(event.id))
    return work
  }

  return async (request) => {
    try {
      const event = await verifier.verify(request)
      await once(event)
      return new Response(null, { status: 204 })
    } catch (error) {
      // Not from Vitrine, or modified in transit. Anything else is our own error: 500, and the event is sent again.
      if (error instanceof WebhookVerificationError) return new Response(error.reason, { status: 400 })
      throw error
    }
  }
}

/** An example of handling events: the type determines the data. */
export function describe(event: WebhookEvent): string {
  switch (event.type) {
    case 'order.created':
    case 'order.updated':
    case 'order.canceled':
    case 'order.fulfilled':
      return `order ${event.data.number} is ${event.data.status}`
    case 'webhook.test':
      return `a test: ${event.data.message}`
    default:
      // An event type that this program does not know yet: a 2xx answer acknowledges it.
      return `${event.type}, which is not handled here`
  }
}

if (process.argv[1] === import.meta.filename) {
  const respond = receiver({
    secrets: (process.env.VITRINE_WEBHOOK_SECRET ?? '').split(','),
    handle: async (event) => console.log(describe(event)),
  })
  createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(parts),
    })
    const answer = await respond(request).catch(() => new Response(null, { status: 500 }))
    outgoing.writeHead(answer.status).end(await answer.text())
  }).listen(9000, '127.0.0.1')
}
