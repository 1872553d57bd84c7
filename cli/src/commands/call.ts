import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { operations } from '@vitrine/contract'
import { type OperatorOperation, type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import { AnswerTimeout, type PrivateJwk, prover, UnreadableAnswer, VitrineError, vitrine } from '@vitrine/sdk'
import { readConfig } from '@vitrine/server/config'
import { findDoor } from '../doors.ts'
import { AlreadyReported, CommandError, messageOf, UsageError } from '../failure.ts'
import type { Io } from '../io.ts'
import { OperatorRefusal } from '../operator-client.ts'
import { atOperatorDoor } from '../operator-door.ts'
import { readTextFile } from '../options.ts'
import type { Output } from '../output.ts'
import { withProgress } from '../upload.ts'
import { writeWhole } from '../whole-file.ts'

interface InputOptions {
  readonly param?: readonly string[]
  readonly query?: readonly string[]
  readonly body?: string
}

export interface CallOptions extends InputOptions {
  readonly key?: string
  readonly keyFile?: string
  readonly idempotencyKey?: string
  readonly url?: string
}

/** `vitrine call OPERATION`: one call as an installation, with its DPoP proof. Prints the answer as JSON. */
export async function callCommand(operation: string, options: CallOptions, output: Output): Promise<void> {
  const operationId = readOperation(operation, operations, 'docs/reference lists them all')
  const { VITRINE_KEY, VITRINE_KEY_FILE } = output.io.env
  // As with every setting, an empty variable is none.
  const { key = VITRINE_KEY || undefined, keyFile = options.key ? undefined : VITRINE_KEY_FILE || undefined } = options
  const { idempotencyKey = randomUUID() } = options
  if (keyFile !== undefined && key === undefined) throw new UsageError('--key-file needs --key.')
  if (!/^[!-~]*$/.test(`${key ?? ''}${idempotencyKey}`))
    throw new UsageError('A key has only visible ASCII characters.')
  const input = readInput(operationId, operations[operationId].path, options)
  const baseUrl = options.url ?? (await publicUrl(output.io))
  if (!URL.canParse(baseUrl)) throw new UsageError('--url must be a URL such as http://127.0.0.1:8080.')
  const client = vitrine({
    baseUrl,
    ...(key !== undefined && { key }),
    ...(keyFile !== undefined && { privateKey: await readPrivateKey(keyFile) }),
  })
  try {
    const answer = await client.call(operationId, input as never, { idempotencyKey })
    output.result(answer, [JSON.stringify(answer, null, 2)])
  } catch (error) {
    if (error instanceof VitrineError) printRefusal(error.answer, output)
    const lost = sentenceOfLost(error, baseUrl)
    if (lost === null) throw error
    const isKeyed = operations[operationId].idempotency === 'required' && !wasNeverSent(error)
    const repeat = ` It may have taken effect: repeat it with --idempotency-key ${idempotencyKey}, for one effect at most.`
    throw new CommandError(isKeyed ? lost + repeat : lost, { cause: error })
  }
}

/** Why there is no answer of the API; `null` for any other error. */
function sentenceOfLost(error: unknown, baseUrl: string): string | null {
  if (error instanceof AnswerTimeout || error instanceof UnreadableAnswer) return error.message
  if (!(error instanceof TypeError && error.cause instanceof Error)) return null
  return `${baseUrl} cannot be reached: ${messageOf(error.cause)}. Check --url or PUBLIC_URL.`
}

/** Whether there was no connection, so that nothing has happened. */
function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(cause?.code ?? '')
}

/** The given URL, or that of the running server of this data directory. */
async function publicUrl({ env }: Io): Promise<string> {
  const config = readConfig(env)
  return env.PUBLIC_URL ? config.publicUrl : ((await findDoor(config, 'public')) ?? config.publicUrl)
}

interface OperatorOptions extends InputOptions {
  readonly file?: string
  readonly output?: string
  readonly idempotencyKey?: string
}

/** `vitrine operator OPERATION`: one call of the operator API. Prints the answer as JSON, or the downloaded file. */
export async function operatorCommand(operation: string, options: OperatorOptions, output: Output): Promise<void> {
  const operationId = readOperation(operation, operatorOperations, 'vitrine openapi --operator lists them all')
  const row: OperatorOperation = operatorOperations[operationId]
  if (row.upload && options.file === undefined) throw new UsageError(`${operationId} needs --file.`)
  if (!row.upload && options.file !== undefined) throw new UsageError(`${operationId} takes no --file.`)
  if (!row.download && options.output !== undefined) throw new UsageError(`${operationId} returns no file.`)
  if (!row.idempotencyKey && options.idempotencyKey !== undefined)
    throw new UsageError(`${operationId} takes no --idempotency-key.`)
  const input = readInput(operationId, row.path, options) as never
  const { idempotencyKey = row.idempotencyKey && randomUUID() } = options
  try {
    if (row.download) await download(operationId, input, options.output, output)
    else {
      const answer = await answerOf(operationId, input, { ...options, idempotencyKey }, output)
      output.result(answer, [JSON.stringify(answer, null, 2)])
    }
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error
    printRefusal(error.answer, output)
  }
}

/**
 * `vitrine operator reset EMAIL`: restores access for an operator whose email does not arrive. Enables a disabled operator, and
 * prints a link to choose a new password. The token of the data directory allows it.
 */
export async function operatorResetCommand(email: string, output: Output): Promise<void> {
  const { wasDisabled, ...link } = await atOperatorDoor(output, async (client) => {
    const { items } = await client.call('listOperators')
    const found = items.find((each) => each.email.toLowerCase() === email.toLowerCase())
    if (!found)
      throw new CommandError(`No operator has the address ${email}. "vitrine operator listOperators" lists them.`)
    const params = { operatorId: found.id }
    const wasDisabled = found.status === 'disabled'
    if (wasDisabled) await client.call('updateOperator', { params, body: { status: 'active' } })
    return { ...(await client.call('createOperatorLink', { params })), wasDisabled }
  })
  output.result({ ...link, enabled: wasDisabled }, [
    ...(wasDisabled ? [`${email} was disabled, and is enabled again.`] : []),
    `Open this link to choose a new password for ${email}. It works once, until ${link.expiresAt}:`,
    link.url,
  ])
}

function answerOf(
  id: OperatorOperationId,
  input: never,
  { file, idempotencyKey }: { readonly file?: string; readonly idempotencyKey: string | undefined },
  output: Output,
): Promise<unknown> {
  if (file === undefined) return atOperatorDoor(output, (client) => client.call(id, input, idempotencyKey))
  return withProgress(file, output, (progress, bytes) =>
    atOperatorDoor(output, (client) => client.upload(id, file, input, (sent) => progress.update(sent, bytes))),
  )
}

async function download(
  id: OperatorOperationId,
  input: never,
  file: string | undefined,
  output: Output,
): Promise<void> {
  await atOperatorDoor(output, async (client) => {
    const answer = await client.download(id, input)
    if (file === undefined) await pipeline(answer, output.io.stdout, { end: false })
    else await writeWhole(file, (unfinished) => pipeline(answer, createWriteStream(unfinished)))
  })
  if (file !== undefined) output.result({ file }, [`Wrote ${file}.`])
}

function printRefusal(answer: unknown, { io, json }: Output): never {
  io.stderr.write(`${JSON.stringify(answer, null, json ? 0 : 2)}\n`)
  throw new AlreadyReported()
}

function readOperation<Id extends string>(name: string, rows: Readonly<Record<Id, unknown>>, list: string): Id {
  if (Object.hasOwn(rows, name)) return name as Id
  const near = Object.keys(rows).filter((id) => id.toLowerCase().includes(name.toLowerCase()))
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `${list}.`
  throw new UsageError(`There is no operation "${name}": ${hint}`)
}

function readInput(operationId: string, path: string, { param, query, body }: InputOptions) {
  const params = Object.fromEntries((param ?? []).map(splitPair))
  const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const missing = expected.find((name) => params[name] === undefined)
  if (missing !== undefined) throw new UsageError(`${operationId} needs --param ${missing}=… for ${path}.`)
  const extra = Object.keys(params).find((name) => !expected.includes(name))
  if (extra !== undefined) throw new UsageError(`${operationId} has no ${extra} in ${path}; use --query for the query.`)
  // A URL drops these segments: the request would reach another operation.
  const dropped = expected.find((name) => ['', '.', '..'].includes(params[name] as string))
  if (dropped !== undefined) throw new UsageError(`${operationId} cannot have "${params[dropped]}" as ${dropped}.`)
  return { params, query: lists(query), ...(body !== undefined && { body: readBody(body) }) }
}

function lists(texts: readonly string[] = []): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  for (const [name, value] of texts.map(splitPair)) {
    values[name] ??= []
    values[name].push(value)
  }
  return values
}

function splitPair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`"${text}" must be name=value.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--body is not JSON: ${(error as Error).message}.`)
  }
}

async function readPrivateKey(file: string): Promise<PrivateJwk> {
  const text = await readTextFile(file)
  try {
    const jwk = JSON.parse(text) as PrivateJwk
    if (typeof jwk.d === 'string' && (await prover(jwk))) return jwk
  } catch {
    // Invalid JSON or an unusable key is treated as a missing one.
  }
  throw new UsageError(`${file} contains no private JWK, such as key create --generate-key writes.`)
}
