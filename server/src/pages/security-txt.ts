import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel/clock.ts'

/** Less than a year, so that copies of the file do not stay valid for long. @see RFC 9116 §2.5.5 */
const VALID_MS = 180 * 86_400_000

/** The contact for reports of vulnerabilities. @see RFC 9116 */
function securityTxt(facts: { readonly contact: string; readonly pagesUrl: string; readonly now: Date }): string {
  const expires = `${new Date(facts.now.getTime() + VALID_MS).toISOString().slice(0, 10)}T00:00:00Z`
  const fields = [
    ['Contact', facts.contact],
    ['Expires', expires],
    ['Preferred-Languages', 'en, de'],
    ['Canonical', `${facts.pagesUrl}/.well-known/security.txt`],
  ]
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

/** Serves `/.well-known/security.txt`, if SECURITY_CONTACT is set. */
export function securityContact(
  contact: string | null,
  { pagesUrl, clock }: { readonly pagesUrl: string; readonly clock: Clock },
): (door: FastifyInstance) => void {
  return (door) => {
    if (contact === null) return
    void door.get('/.well-known/security.txt', async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=86400')
        .type('text/plain; charset=utf-8')
        .send(securityTxt({ contact, pagesUrl, now: clock.now() })),
    )
  }
}
