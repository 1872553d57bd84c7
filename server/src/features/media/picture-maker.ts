import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A task of the process: make the files of `source` in `folder`, which does not exist yet. */
export interface PictureTask {
  readonly source: string
  readonly folder: string
}

/** The files of a picture in the folder. */
interface MadePicture {
  /** The largest width that it is offered in. */
  readonly widest: number
  /** The name and size of the file that every client can show. */
  readonly file: string
  readonly width: number
  readonly height: number
  readonly files: readonly string[]
}

export type PictureFault = 'too_many_pixels' | 'not_a_picture' | 'damaged' | 'too_costly'
/** The files could not be written, such as to a full disk. */
export interface PictureFailure {
  readonly failed: string
  readonly code: string
}
export type PictureAnswer = MadePicture | { readonly refused: PictureFault }

/** A 50 megapixel photo takes 10 s on a busy core. */
const PICTURE_MS_MAX = 60_000
/** A process that is idle for longer ends, which frees 80 MB. */
const IDLE_MS = 20_000

const PROCESS = fileURLToPath(
  new URL(`./picture-process${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
)

/** Makes pictures, one at a time, in a child process that starts with the first picture and ends when it is idle. */
export class PictureMaker {
  #child: ChildProcess | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #millisecondsMax: number

  constructor(millisecondsMax: number = PICTURE_MS_MAX) {
    this.#millisecondsMax = millisecondsMax
  }

  /** The id of the process that makes the next picture; `null` if none is running. */
  get processId(): number | null {
    return this.#child?.pid ?? null
  }

  make(task: PictureTask): Promise<PictureAnswer> {
    const made = this.#turn.then(() => this.#makeNow(task))
    this.#turn = made.catch(() => undefined)
    return made
  }

  /** Ends the process. A picture that is being made is refused. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
    await promise
  }

  #makeNow(task: PictureTask): Promise<PictureAnswer> {
    clearTimeout(this.#idle)
    const child = this.#child ?? this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<PictureAnswer>()
    let isLate = false
    const onEnd = () => isLate || resolve({ refused: 'damaged' })
    const timer = setTimeout(() => {
      isLate = true
      void this.close().then(() => resolve({ refused: 'too_costly' }))
    }, this.#millisecondsMax)
    child.once('message', (message) => {
      const answer = message as PictureAnswer | PictureFailure
      if ('failed' in answer) reject(Object.assign(new Error(answer.failed), { code: answer.code }))
      else resolve(answer)
    })
    child.once('exit', onEnd)
    child.once('error', reject)
    child.send(task, (error) => error && onEnd())
    return promise.finally(() => {
      clearTimeout(timer)
      child.removeAllListeners('message').removeListener('exit', onEnd).removeListener('error', reject)
      if (this.#child === child) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    })
  }

  #start(): ChildProcess {
    // No environment: a compromised decoder finds no secrets in it.
    const child = fork(PROCESS, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
    child.on('exit', () => {
      if (this.#child === child) this.#child = null
    })
    // An idle child does not keep this process running.
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }
}
