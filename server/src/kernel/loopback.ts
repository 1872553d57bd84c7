/** All of 127.0.0.0/8: two nodes of one machine have an address each. @see RFC 1122 §3.2.1.3 */
const LOOPBACK = /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/

/** Whether an address, or the host name of a URL, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
