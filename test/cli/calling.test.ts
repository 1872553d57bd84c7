import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { command, freePorts, launched, temporaryFolder } from '../support/processes/command.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})

/** One line for a person: no stack, no address in our code. */
function assertSentence(err: string): void {
  assert.match(err, /^vitrine: [^\n]+\.\n$/)
  assert.doesNotMatch(err, /\bat .*:\d+:\d+/)
}

describe('the command line', { concurrency: 2 }, () => {
  test('has help for itself, and for each command and group', async () => {
    const { code, out } = await command(['--help'])
    assert.equal(code, 0)
    for (const name of ['start', 'migrate', 'doctor', 'demo', 'catalog', 'installation', 'key', 'openapi', 'call']) {
      assert.match(out, new RegExp(`^ {2}${name}\\b`, 'm'))
    }
    const key = await command(['key', 'create', '--help'])
    assert.equal(key.code, 0)
    assert.match(key.out, /--generate-key <file>/)
    const group = await command(['catalog'])
    assert.equal(group.code, 2)
    assert.match(group.err, /import \[options\] <file>/)
  })

  /** The commands and groups, such as `webhook test`. */
  async function commandPaths(): Promise<string[]> {
    const { out } = await command(['completion', 'bash'])
    return [...out.matchAll(/^ {4}'([a-z -]+)'\) return 0/gm)].map(([, path = '']) => path)
  }

  test('has every command and option that a page shows', async () => {
    const repository = new URL('../../', import.meta.url)
    const pages = [
      'README.md',
      ...(await readdir(new URL('docs/', repository), { recursive: true })).map((name) => `docs/${name}`),
    ]
    const paths = await commandPaths()
    const helps = new Map<string, string>()
    let commands = 0
    for (const page of pages.filter((name) => name.endsWith('.md') && !name.startsWith('docs/decisions/'))) {
      const text = (await readFile(new URL(page, repository), 'utf8')).replaceAll('\\\n', ' ')
      for (const [, words = ''] of text.matchAll(/(?:^|`|npx |\$\()vitrine ([a-z][^\n`|;&>#]*)/gm)) {
        const found = paths.filter((each) => `${words} `.startsWith(`${each} `))
        const path = found.toSorted((one, other) => other.length - one.length)[0]
        assert.ok(path, `${page}: vitrine ${words}`)
        if (!helps.has(path)) helps.set(path, (await command([...path.split(' '), '--help'])).out)
        for (const [option] of words.matchAll(/--[a-z][a-z-]*/g))
          assert.match(helps.get(path)!, new RegExp(`${option}\\b`), `${page}: vitrine ${words}`)
        commands += 1
      }
    }
    assert.ok(commands > 100, String(commands))
  })

  test('is documented, with every command', async () => {
    const paths = await commandPaths()
    const alone = paths.filter((path) => !paths.some((other) => other.startsWith(`${path} `)))
    const page = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
    assert.ok(alone.length > 50)
    assert.deepEqual(
      alone.filter((path) => !page.includes(`\`${path}\``)),
      [],
    )
  })

  test('prints its version, and the exit code of its process says how a command ended', async () => {
    const [version, misused, failed] = await Promise.all([
      launched(['--version']),
      launched(['sart']),
      launched(['catalog', 'import', 'missing.jsonl', '--store', 's'], { cwd: folder }),
    ])
    assert.deepEqual([version.code, misused.code, failed.code], [0, 2, 1])
    assert.match(version.out, /^\d+\.\d+\.\d+\n$/)
    assert.match(misused.err, /^error: .+/)
    assertSentence(failed.err)
    assert.deepEqual([misused.out, failed.out], ['', ''])
  })

  test('exits with 2 for an invalid call', async () => {
    for (const args of [
      ['sart'],
      ['start', '--worker', '2'],
      ['catalog', 'import', 'x.jsonl'],
      ['key', 'create', '--scopes', 'catalog:read'],
    ]) {
      const { code, out, err } = await command(args)
      assert.equal(code, 2, args.join(' '))
      assert.equal(out, '')
      assert.match(err, /^error: .+/)
    }
    assert.match((await command(['sart'])).err, /Did you mean start\?/)
  })

  test('explains an invalid call in one sentence, before it opens anything', async () => {
    const key = ['key', 'create', '--installation', 'ins_1', '--scopes']
    const unusable = join(folder, 'unusable.json')
    const legal = ['--version', '1', '--locale', 'en', '--title', 'Rules']
    await writeFile(unusable, '{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"c"}')
    const cases: readonly (readonly [args: string[], says: RegExp])[] = [
      [['start', '--roles', 'public,kitchen'], /no role "kitchen"; there are public, pages, operator, worker/],
      [['start', '--workers', '0'], /--workers must be a whole number from 1 to 99, not "0"/],
      [['start', '--workers', '17'], /The embedded PostgreSQL supports at most 16 workers: set DATABASE_URL/],
      [['start', '--demo', '--empty'], /--demo or --empty, not both/],
      [[...key, 'catalog:raed'], /no scope "catalog:raed"\. The scopes are catalog:read, checkout:quote/],
      [[...key, 'catalog:read', '--expires', 'soon'], /--expires must be a time such as .*not "soon"/],
      [[...key, 'catalog:read', '--expires', '2091-02-30'], /--expires must be a time such as .*not "2091-02-30"/],
      [[...key, 'catalog:read', '--expires', '5'], /--expires must be a time such as .*not "5"/],
      [[...key, 'catalog:read', '--expires', '2091-01-01T10:00:00'], /--expires must be a time such as/],
      [[...key, 'catalog:read', '--expires', '2001-01-01'], /--expires must be in the future/],
      [[...key, 'catalog:read', '--generate-key', 'a', '--public-key', 'b'], /not both/],
      [
        ['installation', 'create', '--name', 'A', '--environment', 'prod'],
        /--environment must be one of test, live, not "prod"/,
      ],
      [['catalog', 'import', 'products.xlsx', '--store', 's'], /must end in \.jsonl or \.csv/],
      [['call', 'addItem'], /no operation "addItem": docs\/reference lists them all/],
      [['call', 'cartitem'], /did you mean addPublicCartItem, updatePublicCartItemQuantity, removePublicCartItem\?/],
      [['call', 'getPublicCart'], /needs --param cartId=… for \/api\/v1\/open\/storefront\/carts\/\{cartId\}/],
      [['call', 'getBootstrap', '--param', 'a=b'], /has no a in/],
      [['call', 'getBootstrap', '--query', 'locale'], /"locale" must be name=value/],
      [['call', 'createPublicCart', '--body', '{currency}'], /--body is not JSON/],
      [['call', 'getBootstrap', '--url', 'shop'], /--url must be a URL/],
      [['call', 'createPublicCart', '--key-file', 'x'], /--key-file needs --key/],
      [['call', 'getBootstrap', '--key', 'sfk test'], /A key has only visible ASCII characters/],
      [['call', 'getBootstrap', '--key', 'k', '--key-file', unusable], /unusable\.json contains no private JWK/],
      [['call', 'listStoreProducts', '--param', 'slug=..'], /listStoreProducts cannot have "\.\." as slug/],
      [['operator', 'getStore', '--param', 'storeSlug='], /getStore cannot have "" as storeSlug/],
      [
        ['call', 'getBootstrap', '--key', 'k', '--key-file', ''],
        /--key-file must not be empty: give a value, or leave/,
      ],
      [['order', 'list', '--installation', ''], /--installation must not be empty: give a value, or leave it out/],
      [['key', 'create', '--installation', '', '--scopes', 'catalog:read'], /--installation must not be empty\.$/m],
      [[...key, ''], /--scopes must not be empty\.$/m],
      [['catalog', 'import', '', '--store', 's'], /<file> must not be empty/],
      [['simulator', '--port', ''], /--port must not be empty/],
      [
        ['legal', 'publish', unusable, ...legal, '--type', 'rules'],
        /--type must be one of terms_of_use, .*not "rules"/,
      ],
      [['secret', 'rotate', 'passwords'], /There is no secret "passwords"\. There are: /],
    ]
    for (const [args, says] of cases) {
      const { code, out, err } = await command(args)
      assert.match(err, says)
      assertSentence(err.replace(/\?\n$/, '.\n'))
      assert.equal(code, 2, err)
      assert.equal(out, '')
    }
  })

  test('names an invalid setting', async () => {
    const cases: readonly (readonly [env: Record<string, string>, says: RegExp])[] = [
      [{ PUBLIC_PORT: '80800' }, /PUBLIC_PORT must be a whole number from 0 to 65535, not "80800"/],
      [{ RATE_LIMITS: '{' }, /RATE_LIMITS must be "off" or JSON/],
    ]
    for (const [env, says] of cases) {
      const { code, err } = await command(['migrate'], { env })
      assert.match(err, says)
      assertSentence(err)
      assert.equal(code, 2)
    }
  })

  test('explains a failure in one sentence, and exits with 1', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const backup = join(folder, 'a.backup')
    await writeFile(backup, gzipSync('VITRINE BACKUP 1\n{"migration":"","tables":[],"sequences":[]}\n'))
    const below = join(folder, 'below.jsonl')
    await mkdir(below)
    const nowhere = `http://127.0.0.1:${(await freePorts()).PUBLIC_PORT}`
    const database = { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none' }
    const cases: readonly (readonly [args: string[], env: Record<string, string>, says: RegExp])[] = [
      [['catalog', 'import', 'missing.jsonl', '--store', 's'], {}, /There is no file missing\.jsonl/],
      [['call', 'getBootstrap', '--key', 'k', '--key-file', 'missing.json'], {}, /There is no file missing\.json/],
      [['call', 'getBootstrap', '--key', 'k', '--key-file', folder], {}, /^vitrine: \/.* is a folder, not a file\.$/m],
      [['restore', folder], {}, /^vitrine: \/.* is a folder, not a file\.$/m],
      [['order', 'import', below], {}, /below\.jsonl is a folder, not a file\.$/m],
      [['contact', 'save', folder, '--locale', 'en'], {}, /^vitrine: \/.* is a folder, not a file\.$/m],
      [['backup-identity', join(folder, 'missing', 'key')], {}, /There is no folder \/.*missing: create it first\.$/m],
      [['backup-identity', join(folder, 'n'.repeat(300))], {}, /The name of a file or folder is too long\.$/m],
      [['call', 'getBootstrap', '--url', nowhere], {}, /^vitrine: http.* cannot be reached: .*ECONNREFUSED/],
      [
        ['call', 'createPublicCart', '--url', nowhere, '--key', 'k', '--body', '{}'],
        {},
        /^vitrine: http.* cannot be reached: .*ECONNREFUSED [^ ]+\. Check --url or PUBLIC_URL\.\n$/,
      ],
      [['migrate'], database, /The database cannot be used: .*ECONNREFUSED.*Check DATABASE_URL/],
      [['restore', backup], database, /The database cannot be used: .*ECONNREFUSED.*Check DATABASE_URL/],
      [['installation', 'list'], { DATABASE_URL: 'postgres://[' }, /Check DATABASE_URL/],
      [['migrate'], { DATA_DIR: join(file, 'below') }, /file\/below|goes through a file/],
    ]
    for (const [args, env, says] of cases) {
      const { code, out, err } = await command(args, { env: { DATA_DIR: folder, ...env } })
      assert.match(err, says)
      assertSentence(err)
      assert.equal(code, 1, err)
      assert.equal(out, '')
      assert.doesNotMatch(err, /secret-word/)
    }
  })

  test('says whether a command may have taken effect if its connection breaks', async (t) => {
    const server = createServer((request, response) => {
      if (request.url === '/livez') return response.end('ok')
      if (request.method === 'GET') response.writeHead(200).write('{"data":{"items":[')
      return request.on('end', () => request.socket.destroy()).resume()
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { DATA_DIR: join(folder, 'broken') }
    await mkdir(env.DATA_DIR)
    const operator = { url, pid: process.pid, database: null }
    await writeFile(join(env.DATA_DIR, 'doors.json'), JSON.stringify({ operator }))
    const file = join(folder, 'orders.jsonl')
    await writeFile(file, 'a line\n'.repeat(100_000))
    const cases: readonly (readonly [args: string[], says: RegExp])[] = [
      [['order', 'list'], /broke before the answer was complete: run the command again/],
      [['catalog', 'export', join(folder, 'out.jsonl'), '--store', 's'], /broke .*: run the command again/],
      [['installation', 'create', '--name', 'A'], /may have taken effect: look before you repeat it/],
      [
        ['operator', 'createPromotion', '--idempotency-key', 'mine', '--body', '{}'],
        /may have taken effect: repeat it with --idempotency-key mine, for one effect at most/,
      ],
      [['operator', 'createInstallation', '--body', '{}'], /repeat it with --idempotency-key [0-9a-f-]{36},/],
      [['order', 'import', file], /may have taken effect: look before you repeat it/],
      [
        ['call', 'createPublicCart', '--url', url, '--key', 'k', '--idempotency-key', 'mine', '--body', '{}'],
        /cannot be reached: .* It may have taken effect: repeat it with --idempotency-key mine, for one effect at most/,
      ],
    ]
    const ran = await Promise.all(cases.map(([args]) => command(args, { env })))
    for (const [index, { code, out, err }] of ran.entries()) {
      assert.match(err, cases[index]![1])
      assertSentence(err)
      assert.deepEqual([code, out], [1, ''])
    }
  })

  test('also prints the document of the operator door', async () => {
    const { code, out } = await command(['openapi', '--operator'], { env: { OPERATOR_URL: 'https://ops.example' } })
    assert.equal(code, 0)
    const document = JSON.parse(out)
    assert.equal(document.servers[0].url, 'https://ops.example')
    assert.ok('/operator/v1/audit-log' in document.paths)
  })

  test('prints the document of all 59 operations, with the configured address', async () => {
    const { code, out, err } = await command(['openapi'], { env: { PUBLIC_URL: 'https://shop.example/' } })
    assert.equal(code, 0)
    assert.equal(err, '')
    const document = JSON.parse(out)
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual(
      document.servers.map(({ url }: { url: string }) => url),
      ['https://shop.example'],
    )
    const ids = Object.values<Record<string, { operationId?: string }>>(document.paths)
      .flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
      .filter((id) => id !== undefined)
    assert.equal(new Set(ids).size, 59)
  })
})
