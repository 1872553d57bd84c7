import { secretPurposes } from '@vitrine/contract/operator'
import type { CommandLine } from '../../command-line.ts'
import { UsageError } from '../../failure.ts'

const SEALING_KEY = 'sealing-key'

/** Seals everything with a new key, or the first of `SEALING_KEY`. `vitrine webhook reseal` is its earlier name. */
export async function rotateSealingKey({ operator, out }: Pick<CommandLine, 'operator' | 'out'>): Promise<void> {
  const done = await operator((client) => client.call('rotateSealingKey'))
  const { resealed, keyId } = done
  out.result(done, [`Sealed ${resealed} values with ${keyId}. Older keys are needed only for older backups.`])
}

export function addSecretCommands({ command, group, operator, out }: CommandLine): void {
  const secret = group('secret', 'secrets of the server')
  command(secret, 'list', 'list the secrets, their versions, and the key that seals them').action(async () => {
    const found = await operator((client) => client.call('listSecrets'))
    const rows = found.items.flatMap(({ purpose, versions }) =>
      versions.map(({ version, createdAt, signsFrom, acceptedUntil, keyId }) => [
        purpose,
        `${version}`,
        createdAt,
        signsFrom,
        acceptedUntil ?? 'until replaced',
        keyId,
      ]),
    )
    out.table(found, ['PURPOSE', 'VERSION', 'CREATED', 'SIGNS FROM', 'ACCEPTED UNTIL', 'SEALED BY'], rows, 'None.')
    if (found.plain > 0)
      out.note(
        `${found.plain} copies are not sealed, for an earlier release. "vitrine secret forget-plain" deletes them.`,
      )
  })
  command(secret, 'rotate <purpose>', `replace a secret without interruption: its purpose, or ${SEALING_KEY}`)
    .option('--drop-old', 'after a leak: stop accepting what the old secret signed')
    .action(async (given: string, { dropOld: dropsOld = false }: { dropOld?: boolean }) => {
      if (given === SEALING_KEY) return rotateSealingKey({ operator, out })
      const purpose = secretPurposes.find((each) => each === given)
      if (purpose === undefined)
        throw new UsageError(
          `There is no secret "${given}". There are: ${[...secretPurposes, SEALING_KEY].join(', ')}.`,
        )
      const done = await operator((client) => client.call('rotateSecret', { body: { purpose, dropsOld } }))
      out.result(
        done,
        done.items.map(
          ({ purpose: rotated, version, signsFrom, oldAcceptedUntil }) =>
            `Version ${version} of ${rotated} signs from ${signsFrom}. The previous version is accepted until ${oldAcceptedUntil}.`,
        ),
      )
    })
  command(secret, 'forget-plain', 'delete the unsealed copies that an earlier release needs').action(async () => {
    const done = await operator((client) => client.call('forgetPlainSecrets'))
    out.result(done, [`Deleted ${done.forgotten} copies. Processes of the earlier release no longer start.`])
  })
}
