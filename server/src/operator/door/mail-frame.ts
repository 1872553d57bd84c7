import type { FastifyInstance } from 'fastify'
import { refuse } from '../../kernel/refusal.ts'
import { authenticate, refuseForeignOrigin } from './authentication.ts'
import type { OperatorDeps } from './routes.ts'

/** The path that the console posts the HTML of a mail to, to show it in a frame. */
const MAIL_FRAME = '/mail-frame'
/** The name of the field and the separator in a `text/plain` form. */
const FIELD = 'html='
/** A mail of a hundred lines with a picture has 100 KB. */
const BYTES_MAX = 2 * 1024 * 1024

/**
 * Allows a mail pictures and the inline styles that mail clients need. No script, no form and no origin, even without the `sandbox`
 * attribute of the frame. The mail is a document of its own, because one in `srcdoc`, `data:` or `blob:` has the policy of its page.
 *
 * @see HTML, 7.1.5 and CSP Level 3, 6.3.4
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** Returns the HTML of a mail that an operator posts, with a policy of its own. */
export function addMailFrame(app: FastifyInstance, deps: OperatorDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(MAIL_FRAME, async (request, reply) => {
      refuseForeignOrigin(request, deps)
      const signed = await authenticate(request, deps)
      if (!signed || signed.operator.integration) refuse('session_required')
      const body = String(request.body ?? '')
      return reply.headers(HEADERS).send(body.startsWith(FIELD) ? body.slice(FIELD.length) : '')
    })
  })
}
