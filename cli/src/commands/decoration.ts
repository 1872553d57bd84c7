import {
  type DecorationContent,
  listDecorationVersions,
  previewDecorationDraft,
  publishDecorationDraft,
  restoreVersion,
  saveDecorationDraft,
} from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { readJsonFile } from './json-file.ts'
import { storeIdOf } from './store-of.ts'

interface StoreOption {
  readonly store: string
}

async function storeId(reader: Parameters<typeof storeIdOf>[0], { store }: StoreOption): Promise<string> {
  return String(await storeIdOf(reader, store))
}

/** `vitrine decoration draft FILE`: keeps how a store might look. */
export async function draftCommand(
  file: string,
  options: StoreOption & { readonly expectedVersion?: string },
  output: Output,
): Promise<void> {
  // Checked where it is saved.
  const content = (await readJsonFile(file)) as DecorationContent
  const expectedVersion = options.expectedVersion === undefined ? undefined : numberOf(options.expectedVersion)
  const saved = await inHouse(output, ({ database, now }) =>
    database.transaction(async (tx) =>
      saveDecorationDraft(tx, await storeId(tx, options), content, { expectedVersion, now: now() }),
    ),
  )
  output.result(saved, [
    `The draft of ${options.store} has version ${saved.version}. See it: vitrine decoration preview`,
  ])
}

/** `vitrine decoration preview`: the draft as it would be published. */
export async function previewCommand(
  options: StoreOption & { readonly locale: string },
  output: Output,
): Promise<void> {
  const preview = await inHouse(output, async ({ database: { reader }, now }) =>
    previewDecorationDraft(reader, await storeId(reader, options), { languages: [options.locale], now: now() }),
  )
  output.result(preview, [JSON.stringify(preview, null, 2)])
}

/** `vitrine decoration publish`: shows the draft to everybody. */
export async function publishCommand(options: StoreOption, output: Output): Promise<void> {
  const { version, result } = await inHouse(output, ({ database, now }) =>
    database.transaction(async (tx) => publishDecorationDraft(tx, await storeId(tx, options), { now: now() })),
  )
  const said = result === 'published' ? 'is shown from now on' : 'is shown already, with this content'
  output.result({ version, result }, [`Version ${version} of ${options.store} ${said}.`])
}

/** `vitrine decoration list`: every version that was published, newest first. */
export async function listDecorationsCommand(options: StoreOption, output: Output): Promise<void> {
  const versions = await inHouse(output, async ({ database: { reader } }) =>
    listDecorationVersions(reader, await storeId(reader, options)),
  )
  const lines = columns([
    ['VERSION', 'PUBLISHED', 'HASH'],
    ...versions.map(({ version, publishedAt, contentHash }) => [
      String(version),
      publishedAt.toISOString(),
      contentHash,
    ]),
  ])
  output.result(versions, versions.length > 0 ? lines : ['Nothing is published yet: vitrine decoration draft FILE'])
}

/** `vitrine decoration take-up VERSION`: makes an older version the draft again. */
export async function takeUpCommand(version: string, options: StoreOption, output: Output): Promise<void> {
  const wanted = numberOf(version)
  const saved = await inHouse(output, ({ database, now }) =>
    database.transaction(async (tx) => restoreVersion(tx, await storeId(tx, options), wanted, { now: now() })),
  )
  output.result(saved, [`Version ${wanted} is the draft again. Show it: vitrine decoration publish`])
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`A version is a whole number, not "${text}".`)
  return Number(text)
}
