import type { CommandLine } from '../command-line.ts'
import { collect } from '../options.ts'

/** Commands that need no running server: start, database and diagnosis. */
export function addServerCommands({ program, command, group, out }: CommandLine): void {
  command(program, 'start', 'start the server')
    .option('--demo', 'load the demo data first')
    .option('--empty', 'load nothing into a new database')
    .option('--roles <roles>', 'public, pages, operator, worker; all by default')
    .option('--workers <number>', 'processes that share the public door')
    .action(async (options) => (await import('./start.ts')).startCommand(options, out))
  command(program, 'simulator', 'run only the payment simulator, for a server with roles in separate processes')
    .option('--port <port>', 'on loopback; 8084 by default')
    .action(async (options) => (await import('./simulator.ts')).simulatorCommand(options, out))
  command(program, 'migrate', 'migrate the database to this version').action(async () => {
    const { withDatabase } = await import('../local-database.ts')
    const applied = await withDatabase(out, async ({ migrated }) => migrated)
    const lines = applied.map((name) => `applied ${name}`)
    out.result({ applied }, lines.length > 0 ? lines : ['The database is up to date.'])
  })
  command(program, 'doctor', 'check the installation and suggest fixes')
    .option('--production', 'also check what real customers need: docs/guides/production.md')
    .option('--record', 'with --production: record the proofs of readiness that were seen')
    .action(async (options) => (await import('./doctor.ts')).doctorCommand(options, out))
  command(group('demo', 'demo marketplace'), 'load', 'load the demo data once').action(async () =>
    (await import('./demo.ts')).loadDemoCommand(out),
  )
}

export function addBackupCommands({ program, command, group, out }: CommandLine): void {
  command(program, 'backup <file>', 'write the whole database to a file')
    .option('--recipient <age1…>', 'encrypt for this recipient; repeatable', collect)
    .action(async (file, { recipient = [] }) =>
      (await import('./backup.ts')).backupCommand(file, { recipients: recipient }, out),
    )
  command(program, 'backup-identity <file>', 'create an identity that decrypts backups').action(async (file) =>
    (await import('./backup/encryption.ts')).identityCommand(file, out),
  )
  command(program, 'restore <file>', 'fill an empty database from a backup')
    .option('--identity <file>', 'file with the identity that the backup was encrypted for')
    .action(async (file, { identity }) =>
      (await import('./backup.ts')).restoreCommand(file, { identityFile: identity ?? null }, out),
    )
  const backups = group('backups', 'scheduled backups in BACKUP_DIR')
  command(backups, 'run', 'make a backup, and remove those older than BACKUP_KEEP_DAYS').action(async () =>
    (await import('../backups/commands.ts')).runBackups(out),
  )
  command(backups, 'verify', 'restore the newest backup into a temporary database').action(async () =>
    (await import('../backups/commands.ts')).verifyBackups(out),
  )
}
