import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { startShop } from '../support/commerce/shop.ts'
import { temporaryFolder } from '../support/processes/command.ts'

const guides = join(import.meta.dirname, '../../docs/guides')

interface Recipe {
  readonly name: string
  readonly file: string
  /** What runs it, and an expression that fails where something is missing. */
  readonly interpreter: string
  readonly probe: readonly string[]
  /** A program that uses it: `$1` is the folder of the guides. */
  readonly program: string
}

const recipes: readonly Recipe[] = [
  {
    name: 'Python',
    file: 'python.py',
    interpreter: 'python3',
    probe: ['-c', 'import cryptography, sys; assert sys.version_info >= (3, 11)'],
    program: `
import json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from python import Refusal, Vitrine
shop = Vitrine(os.environ["URL"], os.environ["KEY"], json.loads(os.environ["JWK"]))
path = "/api/v1/open/storefront/carts"
cart = shop.call("POST", path, {"currency": "EUR", "country": "DE"}, "a-key")
same = shop.call("POST", path, {"currency": "EUR", "country": "DE"}, "a-key")
status = shop.call("GET", f"{path}/{cart['id']}")["status"]
page = shop.call("GET", "/api/v1/catalog/products?limit=1")
next = shop.call("GET", "/api/v1/catalog/products?limit=1&cursor=" + page["meta"]["page"]["nextCursor"])
try:
    shop.call("POST", path, {"currency": "XXX", "country": "DE"})
except Refusal as refusal:
    print(json.dumps([cart["id"] == same["id"], status, refusal.answer["code"], len(page["data"] + next["data"])]))
`,
  },
  {
    name: 'PHP',
    file: 'php.php',
    interpreter: 'php',
    probe: ['-r', 'exit(extension_loaded("openssl") && PHP_VERSION_ID >= 80100 ? 0 : 1);'],
    // A framework or plugin loads a file inside a function.
    program: `<?php
(function () use ($argv) { require $argv[1] . '/php.php'; })();
$shop = new Vitrine(getenv('URL'), getenv('KEY'), json_decode(getenv('JWK'), true));
$path = '/api/v1/open/storefront/carts';
$cart = $shop->call('POST', $path, ['currency' => 'EUR', 'country' => 'DE'], 'another-key');
$same = $shop->call('POST', $path, ['currency' => 'EUR', 'country' => 'DE'], 'another-key');
$status = $shop->call('GET', "$path/{$cart['id']}")['status'];
$page = $shop->call('GET', '/api/v1/catalog/products?limit=1');
$next = $shop->call('GET', '/api/v1/catalog/products?limit=1&cursor=' . $page['meta']['page']['nextCursor']);
try {
    $shop->call('POST', $path, ['currency' => 'XXX', 'country' => 'DE']);
} catch (Refusal $refusal) {
    echo json_encode([$cart['id'] === $same['id'], $status, $refusal->answer['code'], count([...$page['data'], ...$next['data']])]);
}
`,
  },
]

function run(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env: { ...process.env, ...env } }, (error, out, err) => {
      if (error) reject(new Error(`${error.message}\n${err}`))
      else resolve(out)
    })
  })
}

let shop: Awaited<ReturnType<typeof startShop>>
before(async () => {
  shop = await startShop({ isReachable: true })
  // The recipes have the clock of the machine.
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
})

for (const { name, file, interpreter, probe, program } of recipes) {
  describe(`the ${name} recipe`, () => {
    test('has under 60 lines', async () => {
      const lines = (await readFile(join(guides, file), 'utf8')).split('\n').length - 1
      assert.ok(lines < 60, `${lines} lines`)
    })

    test(`makes one cart for one key, and reads its refusals, where ${interpreter} is installed`, async (t) => {
      if (spawnSync(interpreter, probe).status !== 0) {
        t.diagnostic(`NOT RUN: ${interpreter} is not installed here, or lacks what the guide names.`)
        return
      }
      const { key, proof } = await shop.client()
      assert.ok(key && proof)
      const main = join(await temporaryFolder(), 'main')
      await writeFile(main, program)
      const jwk = JSON.stringify(proof.privateKey.export({ format: 'jwk' }))
      const out = await run(interpreter, [main, guides], { URL: shop.publicUrl, KEY: key, JWK: jwk })
      assert.deepEqual(JSON.parse(out), [true, 'active', 'unsupported_currency', 2])
    })
  })
}
