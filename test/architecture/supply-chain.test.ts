import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

describe('docs/reference/asvs.md', () => {
  /** The number of requirements of levels 1 and 2, by section of the standard. */
  const SECTIONS = {
    1: [2, 9, 11, 3, 2],
    2: [3, 3, 4, 1],
    3: [0, 2, 4, 6, 5, 0, 2],
    4: [3, 1, 2, 4],
    5: [1, 3, 2, 3],
    6: [3, 12, 4, 4, 5, 3, 0, 4],
    7: [3, 4, 2, 5, 2, 2],
    8: [2, 3, 1, 1],
    9: [3, 4],
    10: [2, 2, 4, 11, 5, 2, 3],
    11: [2, 3, 3, 4, 1, 1],
    12: [3, 2, 4],
    13: [1, 5, 2, 5],
    14: [2, 4, 3],
    15: [3, 3, 7],
    16: [1, 5, 4, 3, 3],
    17: [1, 4, 2],
  }
  const lines = [...read('docs/reference/asvs.md').matchAll(/^\| V([\d.]+) \| (.+) \|$/gm)]

  test('has a line for each of the 253 requirements of levels 1 and 2', () => {
    const wanted = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
      counts.flatMap((count, section) =>
        Array.from({ length: count }, (_, at) => `${chapter}.${section + 1}.${at + 1}`),
      ),
    )
    assert.equal(wanted.length, 253)
    assert.deepEqual(
      lines.map(([, id]) => id),
      wanted,
    )
  })

  test('names a test that exists, or a reason', () => {
    for (const [, id, how = ''] of lines) {
      assert.match(how, /^(tested: `|(by design|operator|not applicable|open): \S.{5,})/, `V${id}`)
      for (const [, path = ''] of how.matchAll(/`([^`]+\.test\.ts)`/g))
        assert.ok(existsSync(join(repository, path)), path)
    }
  })
})

describe('the image', () => {
  const dockerfile = read('deploy/production/Dockerfile')

  test('is built from Debian, npm and the release, runs as an ordinary user, and has a health check', () => {
    assert.deepEqual(dockerfile.match(/^FROM \S+/gm), ['FROM node:24-bookworm-slim', 'FROM debian:12-slim'])
    assert.match(dockerfile, /^USER 10001$/m)
    assert.match(dockerfile, /^HEALTHCHECK .*\/readyz/m)
    assert.doesNotMatch(dockerfile, /curl|wget|apt-get|ADD http/)
  })

  test('copies compiled sources, and neither the repository nor its tests', () => {
    assert.match(dockerfile, /^COPY vitrine-release-\*\.tgz /m)
    assert.doesNotMatch(read('scripts/build.js'), /'test'|'\.git'/)
  })
})
