import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import type { Bootstrap } from '@vitrine/sdk'
import { vitrine } from '@vitrine/sdk'
import { shopApp } from './app.tsx'
import { readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { ordersIndex } from './orders-index.ts'
import { recently } from './recently.ts'
import { sessionStore } from './session.ts'
import style from './style.css?inline'

const BOOTSTRAP_KEPT_MS = 30_000
const SWEEP_MS = 86_400_000
const AGAIN_MS = 5000

const config = readConfig(process.env)
const client = vitrine({ baseUrl: config.serviceUrl, key: config.key, privateKey: config.privateKey })
const database = openDatabase(config.dataDirectory)
const sessions = sessionStore(database)
const orders = ordersIndex(database, client, `${config.url}/webhooks/vitrine`)
const bootstraps = recently<Bootstrap>(BOOTSTRAP_KEPT_MS)
const bootstrap = (locale: string) => bootstraps(locale, () => client.call('getBootstrap', { query: { locale } }))

// `dist/server/main.js` runs; the browser's files are next to it.
const file = (name: string) => readFileSync(join(import.meta.dirname, '../browser', name), 'utf8')
const assets = { style, script: file('instant.js'), icon: file('icon.svg') }
const app = shopApp({ config, client, sessions, orders, assets, bootstrap })

const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }, () => {
  console.log(`The shop is open at ${config.url}`)
  void followOrders()
})
server.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${config.port} of ${config.host} is taken: set SHOP_PORT to a free one.`)
  process.exit(1)
})
setInterval(sessions.sweep, SWEEP_MS).unref()

/** Retries until the service answers. The shop opens without waiting for it. */
async function followOrders(): Promise<void> {
  try {
    await orders.start()
  } catch (error) {
    console.error('The orders cannot be followed yet:', error instanceof Error ? error.message : error)
    setTimeout(followOrders, AGAIN_MS).unref()
  }
}

function stop(): void {
  server.close(() => {
    database.close()
    process.exit(0)
  })
  if ('closeAllConnections' in server) server.closeAllConnections()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
// A parent process that started this one with an IPC channel has ended.
process.once('disconnect', stop)
