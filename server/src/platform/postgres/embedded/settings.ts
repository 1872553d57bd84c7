import { totalmem } from 'node:os'

/**
 * A quarter of the memory, up to 1 GB, which is allocated as it fills. The search index of 500,000 products fits, and a search takes
 * half as long.
 */
const SHARED_BUFFERS_MB = { min: 128, max: 1024 }

function sharedBuffersMb(): number {
  // The limit of a container. Without a limit it is 0, or more than the machine has.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  const { min, max } = SHARED_BUFFERS_MB
  return Math.min(max, Math.max(min, Math.floor(bytes / 4 / 2 ** 20)))
}

/** The settings of PostgreSQL, by name. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb()}MB`,
  // Three quarters of the memory, including the file cache of the system.
  effective_cache_size: `${3 * sharedBuffersMb()}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  // Statements are short: JIT costs more than it saves, and a parallel worker would take a core from another statement.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_checkpoints: 'off',
  // Saves a system call per statement.
  update_process_title: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** In addition, for tests: a crash may lose everything. */
export const NOT_DURABLE: Readonly<Record<string, string>> = {
  // Creating and dropping a database scans all buffers: 6 ms more with 1 GB.
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}
