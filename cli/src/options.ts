import { readFile } from 'node:fs/promises'
import { SCOPES, type Scope } from '@vitrine/contract'
import { UsageError } from './failure.ts'
import type { Io } from './io.ts'

const LIST_MAX = 1000

/** Parses `--limit`. */
export function limit(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= LIST_MAX) return count
  throw new UsageError(`--limit must be a whole number from 1 to ${LIST_MAX}, not "${text}".`)
}

/** Parses an option that takes one of several words. */
export function oneOf<const Word extends string>(option: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new UsageError(`${option} must be one of ${words.join(', ')}, not "${text}".`)
    return word
  }
}

export const environment = oneOf('--environment', ['test', 'live'])

/** Parses an option that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** Parses `a, b`. */
export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Parses `catalog:read,checkout:quote`. */
export function scopes(text: string): Scope[] {
  const named = commaSeparated(text)
  const unknown = named.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw new UsageError(`There is no scope "${unknown}". The scopes are ${SCOPES.join(', ')}.`)
  return named as Scope[]
}

/** A day, or a time with its offset. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Parses a time, to RFC 3339. A day begins at midnight UTC. */
export function time(option: string): (text: string) => string {
  return (text) => {
    const [, day] = TIME.exec(text) ?? []
    const [date, midnight] = [text, `${day}T00:00Z`].map((each) => new Date(each))
    const isTime = day !== undefined && [date, midnight].every((each) => !Number.isNaN(each!.getTime()))
    // JavaScript makes February 30 a day in March.
    if (isTime && midnight!.toISOString().startsWith(day)) return date!.toISOString()
    throw new UsageError(`${option} must be a time such as 2030-01-31T00:00:00Z, not "${text}".`)
  }
}

/** The content of a text file. Node reports a folder without its path. */
export function readTextFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    throw Object.assign(error, { path: file })
  })
}

/** The content of a JSON file. @throws UsageError if it is not JSON */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}.`)
  }
}

/** The first line of standard input. A password there appears in no process list and no shell history. */
export async function readLine({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  stdin.setEncoding('utf8')
  let text = ''
  for await (const part of stdin) {
    text += part
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}
