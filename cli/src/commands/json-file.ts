import { readFile } from 'node:fs/promises'
import { UsageError } from '../failure.ts'

/** What a file of JSON holds. @throws UsageError where it is none */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`)
  }
}
