import type { IncomingMessage } from 'node:http'
import { limits, type PublicErrorDetail } from '@vitrine/contract'
import { Refusal } from '../../kernel/refusal.ts'

/** Headers that must not be sent twice: the values could contradict each other. Node silently keeps the first one. */
const SINGLE = [
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
] as const
/** A host and a port. @see RFC 9110 §7.2, RFC 3986 §3.2.2 */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])?(?::\d*)?$/

/**
 * What is wrong with the head of a request, beyond what Node refuses itself; `null` if nothing is.
 *
 * @see RFC 9112 §2.3, 3.2 and 6.1, RFC 9110 §5.3
 */
export function framingFault(request: IncomingMessage): PublicErrorDetail | null {
  const { httpVersion, headers, rawHeaders } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return fault('', 'not_allowed', 'Send HTTP/1.1.')
  if (headers.host === undefined && httpVersion === '1.1') {
    return fault('Host', 'required', 'HTTP/1.1 requires a Host header.')
  }
  for (const [name, pointer] of SINGLE) {
    if (headers[name] !== undefined && countOf(rawHeaders, name) > 1) {
      return fault(pointer, 'not_unique', 'Send it once.')
    }
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return fault('Host', 'wrong_format', 'This is not a host and port.')
  }
  // Node refuses a coding that does not end in `chunked`: the length would be unknown.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && /,\s*chunked\s*$/i.test(coding)) {
    return fault('Transfer-Encoding', 'not_allowed', 'Only chunked is supported.')
  }
  return null
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}

function fault(pointer: string, code: string, message: string): PublicErrorDetail {
  return { in: 'header', pointer, code, message }
}

const HEAD_BYTES_MAX = 16 * 1024

/** The refusal of bytes that Node could not parse, by the code of its error. */
export function parserRefusal({ code = 'broken' }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The request line and the headers must be at most 16 KiB together.'
    const details = [{ ...fault('', 'too_large', message), params: { max: HEAD_BYTES_MAX } }]
    return new Refusal('payload_too_large', { reason: code, details })
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' || code.startsWith('HPE_INVALID_CHUNK')) {
    const details = [{ in: 'body' as const, pointer: '', code: 'invalid', message: 'The chunks are broken.' }]
    return new Refusal('validation_failed', { reason: code, details })
  }
  const message =
    code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long to arrive.' : 'This is not valid HTTP/1.1.'
  return new Refusal('validation_failed', { reason: code, details: [fault('', 'invalid', message)] })
}

/** The refusal of a body beyond the limit. */
export function bodyTooLarge(): Refusal {
  const max = limits.requests.bodyBytesMax
  const details = [
    { in: 'body' as const, pointer: '', code: 'too_large', message: 'Must be at most 1 MiB.', params: { max } },
  ]
  return new Refusal('payload_too_large', { details })
}
