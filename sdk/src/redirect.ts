/** Why a return is refused: the `error` of the server, or what does not match the request. */
export type RedirectRefusal = 'access_denied' | 'incomplete' | 'wrong_state' | 'wrong_issuer' | (string & {})

/** The browser returned without a code, or from another page than the one it was sent to. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'
  readonly reason: RedirectRefusal

  constructor(reason: RedirectRefusal) {
    super(`The return cannot be used: ${reason}.`)
    this.reason = reason
  }
}

/**
 * Reads the address that a browser returned to.
 *
 * @throws RedirectError if it is not the answer to this request, or if the person declined
 * @see RFC 9207 §2.4
 */
export function readReturn(
  address: string | URL,
  expected: { readonly state: string; readonly issuer: string },
): URLSearchParams & { readonly code: string } {
  const parameters = new URL(address).searchParams
  if (parameters.get('state') !== expected.state) throw new RedirectError('wrong_state')
  if (parameters.get('iss') !== expected.issuer) throw new RedirectError('wrong_issuer')
  const error = parameters.get('error')
  if (error !== null) throw new RedirectError(error)
  const code = parameters.get('code')
  if (code === null) throw new RedirectError('incomplete')
  return Object.assign(parameters, { code })
}
