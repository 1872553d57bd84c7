import { readFile } from 'node:fs/promises'
import { type OperationId, operations } from '@vitrine/contract'
import { type PrivateJwk, VitrineError, vitrine } from '@vitrine/sdk'
import { readConfig } from '@vitrine/server/config'
import { CommandError, messageOf, UsageError } from '../failure.ts'
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
export async function callCommand(operation: string, options: CallCommandOptions, output: Output): Promise<void> {
  const operationId = readOperation(operation)
  const { VITRINE_KEY, VITRINE_KEY_FILE } = process.env
  const { key = VITRINE_KEY, keyFile = options.key ? undefined : VITRINE_KEY_FILE, idempotencyKey } = options
  if (keyFile !== undefined && key === undefined) throw new UsageError('--key-file goes with --key.')
  const params = pairs(options.param)
  refuseWrongParams(operationId, params)
  const input = {
    params,
    query: lists(options.query),
    ...(options.body !== undefined && { body: readBody(options.body) }),
  }
  const baseUrl = options.url ?? readConfig(process.env).publicUrl
  if (!URL.canParse(baseUrl)) throw new UsageError(`--url should be an address such as http://127.0.0.1:8080.`)
  const client = vitrine({
    baseUrl,
    ...(key !== undefined && { key }),
    ...(keyFile !== undefined && { privateKey: await readPrivateKey(keyFile) }),
  })
  try {
    const answer = await client.call(
      operationId,
      input as never,
      idempotencyKey === undefined ? {} : { idempotencyKey },
    )
    output.result(answer, [JSON.stringify(answer, null, 2)])
  } catch (error) {
    if (error instanceof TypeError && error.cause instanceof Error) {
      const reason = messageOf(error.cause)
      throw new CommandError(`${baseUrl} cannot be reached: ${reason}. Look at --url or PUBLIC_URL.`, { cause: error })
    }
    if (!(error instanceof VitrineError)) throw error
    process.stderr.write(`${JSON.stringify(error.answer, null, output.json ? 0 : 2)}\n`)
    process.exitCode = 1
  }
}

function readOperation(name: string): OperationId {
  if (Object.hasOwn(operations, name)) return name as OperationId
  const near = Object.keys(operations).filter((id) => id.toLowerCase().includes(name.toLowerCase()))
  const hint = near.length > 0 ? `do you mean ${near.join(', ')}?` : 'docs/reference lists them all.'
  throw new UsageError(`There is no operation "${name}": ${hint}`)
}

function refuseWrongParams(operationId: OperationId, params: Readonly<Record<string, string>>): void {
  const { path } = operations[operationId]
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const missing = wanted.find((name) => params[name] === undefined)
  if (missing !== undefined) throw new UsageError(`${operationId} needs --param ${missing}=… for ${path}.`)
  const extra = Object.keys(params).find((name) => !wanted.includes(name))
  if (extra !== undefined)
    throw new UsageError(`${operationId} has no ${extra} in ${path}; --query is for what follows.`)
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
    throw new UsageError(`--body is not JSON: ${(error as Error).message}.`)
  }
}

async function readPrivateKey(file: string): Promise<PrivateJwk> {
  const text = await readFile(file, 'utf8')
  try {
    const jwk = JSON.parse(text) as PrivateJwk
    if (typeof jwk.d === 'string') return jwk
  } catch {
    // Not JSON is as good as no key.
  }
  throw new UsageError(`${file} holds no private JWK, such as key create --generate-key writes.`)
}
