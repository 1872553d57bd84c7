import { readFile } from 'node:fs/promises'
import { type OperationId, operations } from '@vitrine/contract'
import { type PrivateJwk, VitrineError, vitrine } from '@vitrine/sdk'
import { readConfig } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import type { Output } from '../output.ts'

export interface CallCommandOptions {
  readonly key?: string
  readonly keyFile?: string
  readonly param?: readonly string[]
  readonly query?: readonly string[]
  readonly body?: string
  readonly idempotencyKey?: string
  readonly url?: string
}

/** `vitrine call OPERATION`: one call as an installation makes it, with its proof. Prints the answer as JSON. */
export async function callCommand(operationId: string, options: CallCommandOptions, output: Output): Promise<void> {
  if (!Object.hasOwn(operations, operationId)) throw new UsageError(`There is no operation "${operationId}".`)
  const client = vitrine({
    baseUrl: options.url ?? readConfig(process.env).publicUrl,
    ...(options.key !== undefined && { key: options.key }),
    ...(options.keyFile !== undefined && {
      privateKey: JSON.parse(await readFile(options.keyFile, 'utf8')) as PrivateJwk,
    }),
  })
  const input = {
    params: pairs(options.param),
    query: lists(options.query),
    ...(options.body !== undefined && { body: readBody(options.body) }),
  }
  const callOptions = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }
  try {
    const answer = await client.call(operationId as OperationId, input as never, callOptions)
    output.result(answer, [JSON.stringify(answer, null, 2)])
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error
    process.stderr.write(`${JSON.stringify(error.answer, null, output.json ? 0 : 2)}\n`)
    process.exitCode = 1
  }
}

function pairs(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(texts.map(splitPair))
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
  if (at < 1) throw new UsageError(`"${text}" should be name=value.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--body is not JSON: ${(error as Error).message}`)
  }
}
