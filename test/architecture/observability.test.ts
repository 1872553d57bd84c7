import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { before, describe, test } from 'node:test'
import { operations } from '@vitrine/contract'
import { operatorOperations } from '@vitrine/contract/operator'
import { NO_RESPONSE_MESSAGES } from '../../server/src/platform/outbound/index.ts'
import { command } from '../support/processes/command.ts'
import { startWorld, type World } from '../support/world.ts'

/** The dashboard, the alerts and the runbooks, checked against the metrics of a running server. */

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const DASHBOARD = 'docs/observability/grafana-dashboard.json'
const ALERTS = 'docs/observability/alert-rules.yml'
const RUNBOOKS = 'docs/runbooks'

let world: World
/** The type of each metric. */
let types: ReadonlyMap<string, string>
/** The samples of a new server. */
let samples: readonly string[]
before(async () => {
  world = await startWorld()
  const operator = await world.openOperator()
  await world.anonymous.get('/api/v1/catalog/categories')
  const exposition = await (await fetch(`${operator}/metrics`)).text()
  samples = exposition.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  types = new Map([...exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
})

const METRIC = /\b(?:vitrine|process|nodejs)_\w+/g
/** The name of a metric, without the suffixes of the three series of a histogram. */
function familyOf(name: string): string {
  const family = name.replace(/_(bucket|count|sum)$/, '')
  return types.get(family) === 'histogram' ? family : name
}

function labelsOf(name: string): readonly string[] {
  const metric = world.app.metrics.registry.getSingleMetric(familyOf(name))
  return (metric as unknown as { readonly labelNames: readonly string[] }).labelNames
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(read(DASHBOARD)) as { readonly panels: readonly Panel[] }
const expressions = {
  [DASHBOARD]: panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  [ALERTS]: read(ALERTS)
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => /^ {8}expr: ([\s\S]*?)(?=^ {8}\w)/m.exec(rule)?.[1] ?? assert.fail(`no expr: ${rule}`)),
}

/** Each set of labels that a selector such as `event=~"a|b"` names. */
function labelSetsOf(selector: string): readonly (readonly string[])[] {
  const choices = [...selector.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', values = '']) =>
    values.split('|').map((value) => `${label}="${value}"`),
  )
  return choices.reduce<string[][]>((sets, each) => sets.flatMap((set) => each.map((one) => [...set, one])), [[]])
}

for (const [file, all] of Object.entries(expressions)) {
  describe(file, () => {
    test('queries existing metrics by existing labels', () => {
      assert.ok(all.length > 10)
      for (const expr of all) {
        const names = expr.match(METRIC) ?? []
        assert.ok(names.length > 0, expr)
        for (const name of names) assert.ok(types.has(familyOf(name)), `${name} in ${expr}`)
        for (const [, name = '', labels = ''] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
          for (const [, label = ''] of labels.matchAll(/(\w+)=/g)) assert.ok(labelsOf(name).includes(label), expr)
        }
      }
    })

    test('uses rates of counters only', () => {
      for (const expr of all) {
        for (const [, name = ''] of expr.matchAll(/(?:rate|increase)\((\w+)/g)) {
          assert.match(types.get(familyOf(name)) ?? '', /^(counter|histogram)$/, name)
        }
        for (const [, name = ''] of expr.matchAll(/delta\((\w+)/g)) assert.equal(types.get(name), 'gauge', name)
      }
    })
  })
}

/** Read from the database, and so equal on every node. */
const OF_DATABASE =
  /\bsum(?: by \((?!instance\))[^)]*\))? ?\((vitrine_(?:backup|jobs|mails|payments|webhook_(?:deliveries|endpoints))\w*)/
test('no expression adds up what every node reads from the same database', () => {
  const added = Object.values(expressions).flatMap((all) => all.filter((expr) => OF_DATABASE.test(expr)))
  assert.deepEqual(added, [])
})

describe('the metrics of a server', () => {
  test('are all on the dashboard', () => {
    const shown = new Set(expressions[DASHBOARD].flatMap((expr) => expr.match(METRIC) ?? []).map(familyOf))
    const ours = [...types.keys()].filter((name) => name.startsWith('vitrine_'))
    assert.deepEqual(
      ours.filter((name) => !shown.has(name)),
      [],
    )
  })

  test('are all in the documented table', () => {
    const page = read('docs/observability/README.md').replaceAll('…', 'vitrine_database')
    const ours = [...types.keys()].filter((name) => name.startsWith('vitrine_'))
    assert.deepEqual(
      ours.filter((name) => !page.includes(`\`${name}\``)),
      [],
    )
  })

  test('end in _total if they are counters, and only then', () => {
    for (const [name, type] of types) {
      if (name.startsWith('vitrine_')) assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    }
  })
})

describe('each alert', () => {
  const rules = read(ALERTS)
    .split(/^ {6}- alert: /m)
    .slice(1)
  for (const rule of rules) {
    const name = rule.slice(0, rule.indexOf('\n'))
    test(`${name} describes the problem and links to a runbook that names it`, () => {
      assert.match(rule, /^ {10}summary: \S/m)
      assert.match(rule, /severity: (page|warn)/)
      const runbook = /^ {10}runbook: (\S+)$/m.exec(rule)?.[1] ?? ''
      assert.ok(existsSync(join(repository, runbook)), runbook)
      assert.ok(read(runbook).includes(`\`${name}\``), `${runbook} does not name ${name}`)
    })
  }
})

describe('the alerts', () => {
  test('notice that no node answers, which has none of the samples that the others compare', () => {
    const absent = expressions[ALERTS].flatMap((expr) => /^absent\((\w+)\)$/.exec(expr.trim())?.[1] ?? [])
    assert.ok(absent.some((name) => samples.some((line) => line.startsWith(`${name} `))))
  })
})

describe('an alert about growth', () => {
  test('watches series that a new server has: the first sample of a series is no growth', () => {
    const watched = expressions[ALERTS].flatMap((expr) => [
      ...expr.matchAll(/(?:increase|delta)\((\w+)(?:\{([^}]*)\})?/g),
    ])
    assert.ok(watched.length > 5)
    for (const [, name = '', selector = ''] of watched) {
      for (const labels of labelSetsOf(selector)) {
        const isThere = (line: string) => line.startsWith(name) && labels.every((label) => line.includes(label))
        assert.ok(samples.some(isThere), `${name} with ${labels}`)
      }
    }
  })
})

describe('a metric of backups', () => {
  for (const name of ['vitrine_backup_age_seconds', 'vitrine_backup_restored_age_seconds']) {
    test(`${name} has an alert for its absence, as late as the one for its age`, () => {
      const rules = read(ALERTS).split(/^ {6}- alert: /m)
      const limit = rules
        .flatMap((rule) => new RegExp(`max\\(${name}\\) > (\\d+)$`, 'm').exec(rule)?.[1] ?? [])
        .map(Number)
      const absent = rules.find((rule) => rule.includes(`expr: absent(${name})`)) ?? assert.fail('no alert')
      const [, count = '', unit = ''] = /^ {8}for: (\d+)(h|d)$/m.exec(absent) ?? []
      assert.deepEqual([Number(count) * (unit === 'd' ? 86_400 : 3600)], limit)
    })
  }
})

describe('each runbook', () => {
  const pages = readdirSync(join(repository, RUNBOOKS)).filter((file) => file.endsWith('.md'))

  test('is listed', () => {
    const index = read(`${RUNBOOKS}/README.md`)
    for (const page of pages) if (page !== 'README.md') assert.ok(index.includes(`](${page})`), page)
  })

  test('has working links', () => {
    for (const page of pages) {
      for (const [, link = ''] of read(`${RUNBOOKS}/${page}`).matchAll(/\]\(([^)#]+)/g)) {
        const target = normalize(join(dirname(`${RUNBOOKS}/${page}`), link))
        assert.ok(existsSync(join(repository, target)), `${page}: ${link}`)
      }
    }
  })

  test('gives a node with the role of a worker an operator door, which alone serves metrics', () => {
    for (const page of [...pages.map((each) => `${RUNBOOKS}/${each}`), 'docs/observability/README.md']) {
      for (const [, roles = ''] of read(page).matchAll(/--roles ([a-z,]+)/g)) assert.match(roles, /operator/, page)
    }
  })

  test('names each reason for which a delivery gets no answer', () => {
    const page = read(`${RUNBOOKS}/poison-webhook.md`)
    const ofWorker = ['send', 'record'].flatMap((file) => [
      ...read(`server/src/features/webhooks/deliveries/${file}.ts`).matchAll(/error: '([^']+)'/g),
    ])
    assert.equal(ofWorker.length, 2)
    const reasons = [...Object.values(NO_RESPONSE_MESSAGES), ...ofWorker.map(([, reason = '']) => reason)]
    assert.deepEqual([...page.matchAll(/^ {3}\| `([^`]+)` \|/gm)].map(([, reason]) => reason).sort(), reasons.sort())
  })

  test('can be followed where `vitrine` is no command: with the files, paths and services of deploy', () => {
    const index = read(`${RUNBOOKS}/README.md`)
    const unit = read('deploy/production/systemd/vitrine@.service').replaceAll('%i', 'a')
    const ofUnit = [...unit.matchAll(/^(?:EnvironmentFile|WorkingDirectory)=\S+$/gm)].map(([line]) => `-p ${line}`)
    const [, directories = ''] = /^Environment=NODE_ENV=production (.*)$/m.exec(unit) ?? []
    const wanted = [...ofUnit, ...directories.split(' ').map((each) => `-E ${each}`)]
    assert.equal(wanted.length, 5)
    const [, entry = ''] = /^ENTRYPOINT \["node", "(.+)"\]$/m.exec(read('deploy/production/Dockerfile')) ?? []
    wanted.push(`exec vitrine-a node ${entry} `, 'exec node1 node cli/bin/vitrine.js ')
    wanted.push('kubectl -n vitrine exec deployment/vitrine -- node cli/bin/vitrine.js ')
    assert.match(read('deploy/production/compose.yaml'), /^ {2}vitrine-a:$/m)
    assert.match(read('deploy/compose/compose.yaml'), /^ {2}node1:$/m)
    assert.deepEqual(
      wanted.filter((each) => !index.includes(each)),
      [],
    )
  })

  test('uses existing commands', async () => {
    const { out } = await command(['completion', 'bash'])
    const known = new Set([...out.matchAll(/^ {4}'([a-z -]+)'\) return 0/gm)].map(([, path = '']) => path))
    const isParent = (path: string) => [...known].some((each) => each.startsWith(`${path} `))
    for (const page of pages) {
      const text = read(`${RUNBOOKS}/${page}`)
      for (const [line, first = '', second = ''] of text.matchAll(/(?<=`|^ *)vitrine ([a-z]+)(?: ([a-zA-Z]+))?/gm)) {
        assert.ok(known.has(first), `${page}: vitrine ${first}`)
        const isOperation = first === 'operator' && second in operatorOperations
        if (first === 'call') assert.ok(second in operations, `${page}: ${line}`)
        else if (isParent(first) && !isOperation) assert.ok(known.has(`${first} ${second}`), `${page}: ${line}`)
      }
    }
  })
})
