import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens the shop's own database: sessions of visitors, and an index of orders that can be rebuilt at any time. */
export function openDatabase(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table if not exists sessions (id text primary key, content text not null, seen_at integer not null);
    create index if not exists sessions_by_age on sessions (seen_at);
    create table if not exists orders (
      id text primary key, customer_id text, placed_at text not null, version integer not null, summary text not null
    );
    create index if not exists orders_of_customer on orders (customer_id, placed_at desc);
    create table if not exists settings (name text primary key, value text not null);
  `)
  return database
}
