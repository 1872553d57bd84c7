import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** The environment and the streams of a command: those of its process, or of a test. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean }
  /** Resolves when the command is told to stop. */
  stopSignal(): Promise<unknown>
}

export function processIo(): Io {
  // The reader may close standard output early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  return {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    // A second signal ends the process at once.
    stopSignal: () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]),
  }
}
