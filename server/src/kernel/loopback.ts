const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** Whether only this machine reaches an address: that of a server, or the host name of a URL. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host)
}
