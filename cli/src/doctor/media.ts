import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Config, s3Store, systemClock } from '@vitrine/server'
import { messagesOf } from '../failure.ts'
import { type Finding, well, wrong } from './finding.ts'

const ANSWER_MS_MAX = 3000
const NAME = 'probe.txt'

/** Checks, with a file that it removes again, that the object store of pictures can be used, if one is configured. */
export async function checkMediaStore({ media: { s3 } }: Pick<Config, 'media'>): Promise<readonly Finding[]> {
  if (s3 === null) return []
  const where = `the bucket ${s3.bucket} at ${s3.endpoint}`
  const store = s3Store(s3, systemClock, { answerMsMax: ANSWER_MS_MAX })
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-doctor-'))
  const address = `doctor-${randomUUID()}`
  try {
    await writeFile(join(folder, NAME), address)
    await store.save(address, { folder, names: [NAME] })
    const found = await store.open(address, NAME)
    const isSame = found !== null && (await text(found.body)) === address
    await store.remove(address, [NAME])
    if (isSame) return [well('pictures', `${where} takes, returns and removes a file`)]
    return [wrong('pictures', `${where} does not return the file that it took`, 'Check MEDIA_ENDPOINT.')]
  } catch (error) {
    const remedy = 'Check MEDIA_ENDPOINT, MEDIA_REGION and the key: it must be allowed to put, get and delete objects.'
    return [wrong('pictures', `${where}: ${messagesOf(error)}`, remedy)]
  } finally {
    await rm(folder, { recursive: true })
  }
}
