import type { CommandLine } from '../command-line.ts'
import { collect, environment } from '../options.ts'

interface CreateOptions {
  readonly name: string
  readonly store?: string
  readonly environment: 'test' | 'live'
  readonly returnUrl?: string[]
  readonly origin?: string[]
}

/** `installation` and `readiness`. */
export function addInstallationCommands({ command, group, operator, out }: CommandLine): void {
  const installation = group('installation', 'shops, apps and agents that use the API')
  command(installation, 'create', 'register an installation')
    .requiredOption('--name <name>', 'name')
    .option('--store <slug>', 'its only store; the whole marketplace by default')
    .option('--environment <environment>', 'test or live', environment, 'test')
    .option('--return-url <url>', 'URL that shoppers may return to; repeatable', collect)
    .option('--origin <origin>', 'origin whose scripts may call the API; repeatable', collect)
    .action(async ({ store, returnUrl: returnUrls = [], origin: origins = [], ...named }: CreateOptions) => {
      const body = { ...named, ...(store !== undefined && { storeSlug: store }), origins, returnUrls }
      const { id } = await operator((client) => client.call('createInstallation', { body }))
      out.result({ id }, [id, '', `Create a key for it: vitrine key create --installation ${id} --scopes catalog:read`])
    })
  command(installation, 'list', 'list the installations').action(async () => {
    const found = await operator((client) => client.list('listInstallations', {}))
    const shown = found.reverse().map(({ id, name, environment, status, store }) => {
      return { id, name, environment, status, store: store?.slug ?? null }
    })
    const rows = shown.map((each) => [
      each.id,
      each.name,
      each.environment,
      each.status,
      each.store ?? 'whole marketplace',
    ])
    const none = 'There is no installation yet: vitrine installation create --name NAME'
    out.table(shown, ['ID', 'NAME', 'ENVIRONMENT', 'STATUS', 'STORE'], rows, none)
  })
  const setStatus = (status: 'active' | 'suspended', sentence: (id: string) => string) => async (id: string) => {
    await operator((client) => client.call('updateInstallation', { params: { installationId: id }, body: { status } }))
    out.result({ id, status }, [sentence(id)])
  }
  command(installation, 'suspend <id>', 'reject all credentials of an installation').action(
    setStatus('suspended', (id) => `Suspended ${id}: all its credentials are rejected.`),
  )
  command(installation, 'resume <id>', 'resume a suspended installation').action(
    setStatus('active', (id) => `${id} is active.`),
  )

  const readiness = group('readiness', 'proofs that live keys require')
  command(readiness, 'list', 'list the proofs').action(async () => {
    const { activated, items: proofs } = await operator((client) => client.call('listReadinessProofs'))
    const rows = proofs.map(({ recorded, code, remedy }) => [
      recorded ? 'recorded' : 'missing',
      code,
      recorded ? '' : remedy,
    ])
    out.table({ activated, proofs }, ['STATUS', 'PROOF', 'REMEDY'], rows, '')
  })
  command(readiness, 'record <code>', 'record that you have seen a proof')
    .requiredOption('--note <text>', 'what you have seen')
    .action(async (code: string, { note }: { note: string }) => {
      await operator((client) => client.call('recordReadinessProof', { body: { code, note } }))
      out.result({ code, recorded: true }, [`Recorded ${code}.`])
    })
}
