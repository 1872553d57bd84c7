import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { operations } from '@vitrine/contract'
import { operatorOperations } from '@vitrine/contract/operator'
import ts, { type Node, type SourceFile } from 'typescript'
import { sentenceCase } from '../../console/src/ui/format/text.ts'
import { MESSAGES, messagesOf, type TextsOfFile, textsOf, textsOfTheApi } from './console-texts.ts'

/** Style rules, checked here so that reviews need not. */

const repository = join(import.meta.dirname, '../..')

/** Generated folders. */
const GENERATED = new Set(['.git', '.data', '.cache', 'node_modules', 'dist', 'coverage'])
const BINARY = /\.(png|jpe?g|webp|svg|ico|gz|woff2?)$/

/** Tables of facts may have any length. */
const DATA = /^contract\/src\/(operations|schemas)\/|^sdk\/src\/generated\/|^(package-lock|knip|biome)\.json$/
const LINES_MAX = 500
/** Higher, because tests are read one case at a time. */
const TEST_LINES_MAX = 800

/** A folder with more cannot be taken in at a glance. */
const FILES_MAX = 20
const FUNCTION_LINES_MAX = 80

const CODE = /\.(ts|js|cjs|mjs)$/
/** Code that runs outside tests, tables of facts included. */
const PRODUCTION = /^(contract|server|sdk|cli|console|shop|site|bench|deploy)\/(?!.*\.test\.).*\.tsx?$/
const IDENTIFIERS = /^(contract|server|sdk|cli|console|shop|site|bench|deploy|scripts|test)\/.*\.(ts|tsx|js|cjs)$/

/** Words that are not standard terms, and spellings that the wire does not use. */
const BANNED_IN_NAMES = new Set(
  (
    'wish wishes occasion house teller told tells news promised promises shelf stranger strangers verdict anew ' +
    'fulfilment fulfilments catalogue catalogues cancelled licence licences honour honoured colour colours localise ' +
    'localised recognise recognised behaviour'
  ).split(' '),
)

/** Files without a match need not be parsed. */
const MAY_BE_BANNED = new RegExp([...BANNED_IN_NAMES].join('|'), 'i')

/** Members of the operator API and of `vitrine doctor`, and a count of the test runner: they keep their names. */
const WIRE_NAMES = new Set(['fulfilments', 'told', 'cancelled'])

/** Prose: code with its comments, pages and texts. Generated documents follow their sources. */
const PROSE =
  /^(?!docs\/reference\/openapi|sdk\/src\/generated\/|server\/demo\/|LICENSE|package-lock).*\.(ts|tsx|js|cjs|md|sql|json|yml)$/
/** Commands, members and counts that keep their names, and the account `nobody` of the operating system. */
const WIRE = /`[^`\n]*`|vitrine (fulfilment|licence)|\bfulfilments(?=[:,]| \})|\bcancelled(?=[:|])|\bas nobody\b/g
const BANNED_IN_TEXT =
  /\b(catalogues?|fulfilments?|cancelled|cancelling|licences?|honour(s|ed)?|colours?|behaviours?|recogni[s]ed?|locali[s]ed?|whoever|anew|for good|for ever|of ours|beside|nobody|somebody)\b(?![_/-]|\.\w)(?<![/_.'"`-]\w+)/i
const TEST = /\.test\.ts$/
/** The console, without words for readers of their own language, and names of states, which are the same in German. */
const CONSOLE = /^console\/src\/(?!virtual\.d\.ts|language\.ts|.*\/(packing-slip-words|us-sales-tax)\.ts).*\.tsx?$/
const GERMAN = 'console/src/languages/de.json'
const FOR_OPERATORS = /^console\/src\/languages\/de\.json$|^server\/src\/operator\/.*-mails?\.ts$/
const FOR_SHOPPERS = /^server\/src\/(pages|features|kernel\/languages)\/.*(?<!\.test)\.ts$/
const OPERATION = /^server\/src\/features\/[^/]+\/operations\/(\w+)\.ts$/
const MIGRATION = /^server\/migrations\/(\d{4})_\w+\.sql$/

/** Text files by their path from the root of the repository. */
type Tree = ReadonlyMap<string, string>

type Planted = readonly [file: string, text: string]

interface TidyRule {
  readonly says: string
  /** The violations in a tree, each as `file: what`. */
  readonly find: (tree: Tree) => readonly string[]
  /** A file that breaks the rule, or several that do together. */
  readonly plant: Planted | readonly Planted[]
}

const operationIds = new Set<string>(Object.keys(operations))
const allOperationIds = new Set<string>([...operationIds, ...Object.keys(operatorOperations)])
/** A name in camelCase that begins with the verb of an operation. */
const NAME_OF_OPERATION = new RegExp(
  `\\b(?:${[...new Set([...allOperationIds].map((id) => id.match(/^[a-z]+/)![0]))].join('|')})(?:[A-Z][a-z0-9]*)+\\b`,
  'g',
)

const rules: readonly TidyRule[] = [
  {
    says: 'an operation has the name of its file, which is an operationId of the contract',
    find: (tree) =>
      operationsIn(tree)
        .filter(([id, file]) => !operationIds.has(id) || exportsOf(tree.get(file)!).join() !== id)
        .map(([, file]) => `${file}: exports ${exportsOf(tree.get(file)!).join(', ')}`),
    plant: ['server/src/features/carts/operations/growCart.ts', 'export const growPublicCart = 1\n'],
  },
  {
    says: 'an operation has a test next to it',
    find: (tree) =>
      operationsIn(tree)
        .map(([, file]) => testOf(file))
        .filter((file) => !tree.has(file))
        .map((file) => `${file}: is missing`),
    plant: ['server/src/features/planted/operations/getPlanted.ts', 'export const getPlanted = 1\n'],
  },
  {
    says: 'a feature has a README and an index.ts',
    find: (tree) => {
      const features = new Set([...tree.keys()].map((file) => file.match(/^server\/src\/features\/[^/]+\//)?.[0] ?? ''))
      features.delete('')
      return [...features]
        .flatMap((feature) => [`${feature}README.md`, `${feature}index.ts`])
        .filter((file) => !tree.has(file))
        .map((file) => `${file}: is missing`)
    },
    plant: ['server/src/features/planted/planted.ts', ''],
  },
  {
    says: 'a TODO names its issue',
    find: (tree) => linesWith(tree, CODE, /\b(TODO|FIXME|HACK)\b(?!.*#\d)/),
    plant: ['server/src/planted.ts', '// TODO: later\n'],
  },
  {
    says: `a code file has at most ${LINES_MAX} lines, unless it is a table of facts`,
    find: (tree) =>
      [...tree]
        .filter(([file]) => CODE.test(file) && !DATA.test(file))
        .map(([file, text]) => [file, text.split('\n').length - 1] as const)
        .filter(([file, lines]) => lines > (TEST.test(file) ? TEST_LINES_MAX : LINES_MAX))
        .map(([file, lines]) => `${file}: ${lines} lines`),
    plant: ['server/src/planted.ts', '\n'.repeat(LINES_MAX + 1)],
  },
  {
    says: `a folder of code has at most ${FILES_MAX} files, not counting tests`,
    find: (tree) => {
      const folders = Map.groupBy(productionIn(tree), ([file]) => dirname(file))
      return [...folders]
        .filter(([, files]) => files.length > FILES_MAX)
        .map(([folder, files]) => `${folder}: ${files.length} files`)
    },
    plant: [...Array(FILES_MAX + 1).keys()].map((index) => [`server/src/planted/file-${index}.ts`, ''] as const),
  },
  {
    says: `a function has at most ${FUNCTION_LINES_MAX} lines`,
    find: (tree) =>
      productionIn(tree)
        // Parsing is most of the work, and a short file has no long function.
        .filter(([, text]) => text.split('\n').length > FUNCTION_LINES_MAX)
        .flatMap(([file, text]) =>
          longFunctionsIn(file, text).map(({ line, lines }) => `${file}:${line}: ${lines} lines`),
        ),
    plant: ['server/src/planted.ts', `function planted() {\n${'work()\n'.repeat(FUNCTION_LINES_MAX)}}\n`],
  },
  {
    says: 'identifiers use standard terms',
    find: (tree) =>
      [...tree]
        .filter(([file, text]) => IDENTIFIERS.test(file) && MAY_BE_BANNED.test(text))
        .flatMap(([file, text]) =>
          identifiersIn(file, text)
            .filter(({ name }) => !WIRE_NAMES.has(name) && wordsOf(name).some((word) => BANNED_IN_NAMES.has(word)))
            .map(({ line, name }) => `${file}:${line}: ${name}`),
        ),
    plant: ['server/src/planted.ts', 'const secondWish = 1\n'],
  },
  {
    says: 'text uses American spelling and standard terms',
    find: (tree) =>
      linesWith(new Map([...tree].map(([file, text]) => [file, text.replace(WIRE, '')])), PROSE, BANNED_IN_TEXT),
    plant: ['docs/planted.md', 'The catalogue is read anew.\n'],
  },
  {
    says: 'features do not depend on HTTP: a refusal names the field, and the door places it',
    find: (tree) => linesWith(tree, /^server\/src\/features\/.*(?<!\.test)\.ts$/, /\bin: '(body|path|query)'/),
    plant: [
      'server/src/features/planted.ts',
      "refuse('validation_failed', { details: [{ in: 'body', pointer: '/a' }] })\n",
    ],
  },
  {
    says: 'a citation names an existing file and heading',
    find: (tree) =>
      [...tree]
        .filter(([file]) => /\.(ts|tsx|js|cjs|sql|md)$/.test(file))
        .flatMap(([file, text]) => citationsOf(text).map((target) => [file, target] as const))
        .filter(([, target]) => !isCited(tree, target))
        .map(([file, target]) => `${file}: ${target}`),
    plant: ['server/src/planted.ts', '/** @see docs/reference/rules.md#no-such-rule */\n'],
  },
  {
    says: 'a page names only operations that exist, or functions of the code',
    find: (tree) => {
      const inCode = new Set(
        [...tree].flatMap(([file, text]) => (IDENTIFIERS.test(file) ? (text.match(NAME_OF_OPERATION) ?? []) : [])),
      )
      return [...tree]
        .filter(([file]) => file.endsWith('.md') && file !== 'CHANGELOG.md')
        .flatMap(([file, text]) => (text.match(NAME_OF_OPERATION) ?? []).map((name) => [file, name] as const))
        .filter(([, name]) => !allOperationIds.has(name) && !inCode.has(name))
        .map(([file, name]) => `${file}: ${name}`)
    },
    plant: ['docs/planted.md', 'Read it with `getInstallationWebhookDelivery`.\n'],
  },
  {
    says: 'no file names a local path, a package registry or a registry credential',
    find: (tree) => linesWith(tree, /./, /(?<![\w.])\/(work|root|home)\/|\bregistry\.[a-z-]+\.[a-z]+|_authToken/),
    plant: ['docs/planted.md', 'See /home/somebody/notes.\n'],
  },
  {
    says: 'tests and benchmarks read no files outside the repository',
    find: (tree) =>
      [...tree]
        .filter(([file]) => TEST.test(file) || (CODE.test(file) && /^(test|bench)\//.test(file)))
        .flatMap(([file, text]) =>
          [...text.matchAll(/(['"`])(\.\.\/.*?)\1/g)]
            .map(([, , path]) => normalize(join(dirname(file), path!)))
            .filter((path) => path.startsWith('..'))
            .map((path) => `${file}: ${path}`),
        ),
    plant: ['bench/src/planted.ts', "const url = new URL('../../../data/catalog.jsonl', import.meta.url)\n"],
  },
  {
    says: 'features, doors and migrations take time and randomness as arguments',
    find: (tree) =>
      linesWith(
        tree,
        /^server\/(src\/(features|operator|pages|worker)\/.*(?<!\.test)\.ts|migrations\/.*)$/,
        /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(Bytes|UUID)\(|(?<![.\w])now\(\)|\b(current|clock)_timestamp\b/,
      ),
    plant: ['server/src/features/carts/planted.ts', 'const openedAt = new Date()\n'],
  },
  {
    says: 'a statement compares an installation with a parameter by the conditions of owner.ts, which also limit a narrowed credential',
    find: (tree) =>
      linesWith(
        tree,
        /^server\/src\/(features\/(?!installations\/)|platform\/).*(?<!\.test|operator)\.ts$/,
        /\binstallation_id = \$\d/,
      ),
    plant: ['server/src/features/carts/planted.ts', "const one = 'select from carts where installation_id = $2'\n"],
  },
  {
    says: 'production code writes to its log, not to the console',
    find: (tree) => linesWith(tree, /^(contract|server|sdk|cli)\/src\/.*(?<!\.test)\.ts$/, /\bconsole\./),
    plant: ['server/src/planted.ts', "console.log('here')\n"],
  },
  {
    says: 'an error of a feature names no command and no option, because the console may show it',
    find: (tree) =>
      linesWith(tree, /^server\/src\/features\/.*(?<!\.test)\.ts$/, /Error\([`'"].*(\s--[a-z]|\bvitrine [a-z])/),
    plant: ['server/src/features/planted.ts', "throw new StoreError('Give one with --password-stdin.')\n"],
  },
  {
    says: 'every text that the console shows has a translation',
    find: (tree) =>
      consoleTextsIn(tree).flatMap(([file, { bare }]) => bare.map(({ line, text }) => `${file}:${line}: ${text}`)),
    plant: ['console/src/planted.tsx', 'export const Planted = () => <p title="Not yet">Not translated</p>\n'],
  },
  {
    says: 'each text of the console, and each text that the operator API sends it, has a German translation',
    find: (tree) => {
      const german = germanIn(tree)
      const keys = consoleTextsIn(tree).flatMap(([file, { keys }]) =>
        keys.map(({ line, text }) => [`${file}:${line}`, text] as const),
      )
      return [...keys, ...auditedIn(tree), ...[...textsOfTheApi()].map((text) => ['contract/src', text] as const)]
        .filter(([, text]) => !(text in german))
        .map(([place, text]) => `${place}: ${text}`)
    },
    plant: ['console/src/planted.tsx', "export const planted = translate('Not in the dictionary')\n"],
  },
  {
    says: 'each message of a refusal or a report that the console shows has a German translation',
    find: (tree) => {
      const german = germanIn(tree)
      return messagesIn(tree)
        .filter(([, message]) => !(message in german))
        .map(([file, message]) => `${file}: ${message}`)
    },
    plant: ['server/src/operator/planted.ts', "refuseField('words', 'Plant at most three words.')\n"],
  },
  {
    says: 'each German text of the console is used, in the console or in a message of the server',
    find: (tree) => {
      const used = new Set([
        ...consoleTextsIn(tree).flatMap(([, { keys }]) => keys.map(({ text }) => text)),
        ...textsOfTheApi(),
        ...messagesIn(tree).map(([, message]) => message),
      ])
      const server = [...tree].flatMap(([file, text]) =>
        /^(server|contract)\/src\/.*\.ts$/.test(file) ? literalsIn(text) : [],
      )
      const chosen = new Set(server.flatMap((text) => [text, sentenceCase(text)]))
      return Object.keys(germanIn(tree))
        .filter((text) => !used.has(text) && !chosen.has(text))
        .map((text) => `${GERMAN}: ${text}`)
    },
    plant: [GERMAN, '{ "Not in any page": "Auf keiner Seite" }\n'],
  },
  {
    says: 'a German text of the console has the placeholders of the English text',
    find: (tree) =>
      Object.entries(germanIn(tree))
        .filter(([english, german]) => placeholdersIn(english) !== placeholdersIn(german))
        .map(([english]) => `${GERMAN}: ${english}`),
    plant: [GERMAN, '{ "{count} planted": "{anzahl} gepflanzt" }\n'],
  },
  {
    says: 'German texts address operators as Sie, and shoppers as du',
    find: (tree) => [
      ...linesWith(tree, FOR_OPERATORS, /\b(du|dich|dir|dein(e[mnrs]?)?)\b/i),
      ...linesWith(tree, FOR_SHOPPERS, /\p{Ll}en Sie\b|\bIhnen\b/u),
    ],
    plant: ['server/src/operator/operations/settings/planted-mails.ts', "title: 'Dein Passwort'\n"],
  },
  {
    says: 'no test is skipped, marked as todo or run exclusively',
    find: (tree) => linesWith(tree, TEST, /\b(test|it|describe|suite)\.(only|skip|todo)\b|[{,]\s*(skip|only|todo):/),
    plant: ['server/src/planted.test.ts', "test.skip('holds', () => {})\n"],
  },
  {
    says: 'a test file awaits only imports at its top level: it starts worlds and servers in `before`',
    find: (tree) =>
      [...tree]
        .filter(([file]) => /\.test\.tsx?$/.test(file))
        .flatMap(([file, text]) => topLevelAwaitsIn(file, text).map((line) => `${file}:${line}: awaits`)),
    plant: ['server/src/planted.test.ts', 'const world = await startWorld()\n'],
  },
  {
    says: 'migrations are numbered without gaps',
    find: (tree) =>
      [...tree.keys()]
        .filter((file) => MIGRATION.test(file))
        .sort()
        .filter((file, index) => Number(file.match(MIGRATION)![1]) !== index + 1)
        .map((file) => `${file}: is not next`),
    plant: ['server/migrations/9999_planted.sql', '-- A table that nobody asked for.\n'],
  },
  {
    says: 'a migration starts with a comment that gives the reason',
    find: (tree) =>
      [...tree]
        .filter(([file, text]) => MIGRATION.test(file) && !/^-- \w.{20}/.test(text))
        .map(([file]) => `${file}: has no reason in its first line`),
    plant: ['server/migrations/0001_planted.sql', 'create table planted ();\n'],
  },
  {
    says: 'links in documentation lead to existing files, and to their headings',
    find: (tree) => {
      const folders = new Set([...tree.keys()].flatMap(foldersOf))
      return [...tree]
        .filter(([file]) => file.endsWith('.md'))
        .flatMap(([file, text]) =>
          linksOf(text).map((target) => {
            const [path, ...anchor] = target.split(/(?=#)/)
            return [file, `${target.startsWith('#') ? file : normalize(join(dirname(file), path!))}${anchor}`] as const
          }),
        )
        .filter(([, target]) => !isCited(tree, target) && !folders.has(target.replace(/\/$/, '')))
        .map(([file, target]) => `${file}: ${target}`)
    },
    plant: ['docs/planted.md', 'See [the other page](configuration.md#no-such-heading).\n'],
  },
  {
    says: 'a page runs TypeScript with the Node of the project, because that of the reader may not be able to',
    find: (tree) => linesWith(tree, /^(README|docs\/(?!decisions).*)\.(md|ts)$/, /(?<!npx )\bnode [\w/.-]+\.ts\b/),
    plant: ['docs/guides/planted.md', 'Run `node docs/guides/planted.ts`.\n'],
  },
  {
    says: 'each page of documentation is linked from docs/README.md',
    find: (tree) => {
      const targets = linksOf(tree.get('docs/README.md') ?? '').map((target) => join('docs', target))
      const isFound = (page: string) => targets.some((target) => page.startsWith(target))
      return [...tree.keys()]
        .filter((file) => /^docs\/.+\.md$/.test(file) && file !== 'docs/README.md' && !isFound(file))
        .map((file) => `${file}: no link leads to it`)
    },
    plant: ['docs/concepts/planted.md', 'A page.\n'],
  },
  {
    says: 'a decision has a unique number, in its file name and its title',
    find: (tree) => {
      const pages = [...tree].filter(([file]) => /^docs\/decisions\/\d/.test(file))
      const numberOf = (file: string) => basename(file).slice(0, 4)
      const numbers = pages.map(([file]) => numberOf(file))
      return pages
        .filter(([file, text]) => {
          const number = numberOf(file)
          return !text.startsWith(`# ${number}. `) || numbers.filter((each) => each === number).length > 1
        })
        .map(([file]) => `${file}: its number is taken, or differs from its title`)
    },
    plant: ['docs/decisions/0001-planted.md', '# 0001. Something else\n'],
  },
  {
    says: 'each setting is documented in docs/configuration.md',
    find: (tree) => {
      const settings = new Set(settingsIn(tree.get('server/src/config.ts') ?? ''))
      const documented = new Set(settingsIn(tree.get('docs/configuration.md') ?? ''))
      return [...settings.symmetricDifference(documented)].map((setting) => `server/src/config.ts: ${setting}`)
    },
    plant: ['server/src/config.ts', "readPort(variables, 'PLANTED_PORT', 1)\n"],
  },
  {
    says: 'the lock file names no registry, so that it installs from any',
    find: (tree) => [
      ...linesWith(tree, /(^|\/)package-lock\.json$/, /"resolved": "[a-z+]+:\/\//),
      ...(/^omit-lockfile-registry-resolved=true$/m.test(tree.get('.npmrc') ?? '')
        ? []
        : ['.npmrc: records the registry']),
    ],
    plant: ['planted/package-lock.json', '"resolved": "https://packages.example/pg.tgz"\n'],
  },
]

/** This file contains what it forbids, so it is not checked. */
const tree: Tree = new Map(
  filesBelow('')
    .filter((file) => !BINARY.test(file) && file !== 'test/architecture/tidy.test.ts')
    .map((file) => [file, readFileSync(join(repository, file), 'utf8')]),
)

/** The findings of each rule, cached because walking the tree is most of the work. */
const found = new Map<TidyRule, readonly string[]>()

function foundIn(rule: TidyRule): readonly string[] {
  const known = found.get(rule) ?? rule.find(tree)
  found.set(rule, known)
  return known
}

describe('the tree is tidy', () => {
  for (const rule of rules) test(rule.says, () => assert.deepEqual(foundIn(rule), []))
})

describe('each tidy rule catches a planted fault', () => {
  for (const rule of rules) {
    const { says, find, plant } = rule
    test(says, () => {
      const before = new Set(foundIn(rule))
      const planted = (typeof plant[0] === 'string' ? [plant] : plant) as readonly Planted[]
      const found = find(new Map([...tree, ...planted])).filter((finding) => !before.has(finding))
      const folder = dirname(planted[0]![0])
      assert.ok(found.length > 0 && found.every((finding) => finding.startsWith(folder)), `found ${found.join('; ')}`)
    })
  }
})

function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (GENERATED.has(entry.name)) return []
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)]
}

function productionIn(tree: Tree): Planted[] {
  return [...tree].filter(([file]) => PRODUCTION.test(file))
}

/** Functions over the limit, each with its first line. */
function longFunctionsIn(file: string, text: string) {
  const found: { readonly line: number; readonly lines: number }[] = []
  const source = parsed(file, text)
  visit(source, (node, lineOf) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return
    const line = lineOf(node.getStart(source))
    const lines = lineOf(node.end) - line + 1
    if (lines > FUNCTION_LINES_MAX) found.push({ line, lines })
  })
  return found
}

function isImport(node: Node): boolean {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
}

/** The lines that await something while the file is loaded, other than `import(…)`. */
function topLevelAwaitsIn(file: string, text: string): number[] {
  const found: number[] = []
  const source = parsed(file, text)
  visit(source, (node, lineOf) => {
    if (ts.isFunctionLike(node)) return false
    const isLoop = ts.isForOfStatement(node) && node.awaitModifier !== undefined
    if (isLoop || (ts.isAwaitExpression(node) && !isImport(node.expression))) found.push(lineOf(node.getStart(source)))
    return true
  })
  return found
}

function identifiersIn(file: string, text: string) {
  const found: { readonly line: number; readonly name: string }[] = []
  const source = parsed(file, text)
  visit(source, (node, lineOf) => {
    if (ts.isIdentifier(node)) found.push({ line: lineOf(node.getStart(source)), name: node.text })
  })
  return found
}

/** The words of a name in camelCase or CONSTANT_CASE. A name with an underscore in lower case is SQL's or the wire's. */
function wordsOf(name: string): string[] {
  if (/[a-z]_[a-z]/.test(name)) return []
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

const parsedFiles = new Map<string, SourceFile>()

function parsed(file: string, text: string): SourceFile {
  const known = parsedFiles.get(text)
  if (known) return known
  const source = ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  })
  parsedFiles.set(text, source)
  return source
}

/** Calls `look` for each node. Skips the children of a node if it returns false. */
function visit(source: SourceFile, look: (node: Node, lineOf: (position: number) => number) => unknown): void {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const down = (node: Node): void => {
    if (look(node, lineOf) !== false) ts.forEachChild(node, down)
  }
  down(source)
}

const textsOfFiles = new Map<string, TextsOfFile>()

/** The texts of each file of the console. */
function consoleTextsIn(tree: Tree): (readonly [file: string, texts: TextsOfFile])[] {
  return [...tree]
    .filter(([file]) => CONSOLE.test(file))
    .map(([file, text]) => {
      const texts = textsOfFiles.get(text) ?? textsOf(parsedWithParents(file, text))
      textsOfFiles.set(text, texts)
      return [file, texts]
    })
}

/** The types of resources that the audit log names. */
function auditedIn(tree: Tree): Planted[] {
  return [...tree]
    .filter(([file]) => /^server\/src\/operator\/(?!.*\.test)/.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\btype: '([a-z_]+)', id\b/g)].map(([, type]) => [file, sentenceCase(type!)] as const),
    )
}

const messagesOfFiles = new Map<string, readonly string[]>()

/** The messages of the server that the console shows. */
function messagesIn(tree: Tree): Planted[] {
  return [...tree]
    .filter(([file]) => MESSAGES.test(file))
    .flatMap(([file, text]) => {
      const messages = messagesOfFiles.get(text) ?? messagesOf(parsed(file, text))
      messagesOfFiles.set(text, messages)
      return messages.map((message) => [file, message] as const)
    })
}

/** Parses with parent links, which show where a text is used. */
function parsedWithParents(file: string, text: string): SourceFile {
  return ts.createSourceFile(file, text, { languageVersion: ts.ScriptTarget.Latest }, true)
}

function germanIn(tree: Tree): Readonly<Record<string, string>> {
  return JSON.parse(tree.get(GERMAN) ?? '{}') as Record<string, string>
}

const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

/** The string literals of a file, each on one line. */
function literalsIn(text: string): string[] {
  return [...text.matchAll(/'([^'\n]+)'/g)].map(([, literal]) => literal!)
}

/** The `@see` citations of a text: paths of this repository, with the anchor of a heading. */
function citationsOf(text: string): string[] {
  return [
    ...text.matchAll(/@see ((?:CONTRACT|DESIGN|INTERFACE|STYLE)\b|(?:docs|contract|server|test)\/[^\s,*)]+)/g),
  ].map(([, target]) => target!.replace(/[.;:]$/, ''))
}

function isCited(tree: Tree, target: string): boolean {
  const [path, anchor] = target.split('#') as [string, string?]
  // Decisions are cited by their number.
  const file = tree.has(path)
    ? path
    : [...tree.keys()].find((each) => /\/\d{4}$/.test(path) && each.startsWith(`${path}-`))
  if (file === undefined) return false
  return anchor === undefined || headingsOf(tree.get(file)!).includes(anchor)
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  )
}

/** The operations of a tree: their ids and their files. */
function operationsIn(tree: Tree): (readonly [id: string, file: string])[] {
  return [...tree.keys()].filter((file) => OPERATION.test(file)).map((file) => [basename(file, '.ts'), file] as const)
}

function testOf(file: string): string {
  return file.replace(/\.ts$/, '.test.ts')
}

/** The names of the values that a file exports. */
function exportsOf(text: string): string[] {
  return [...text.matchAll(/^export (?:async )?(?:const|function|class|let) (\w+)/gm)].map(([, name]) => name!)
}

/** The relative targets of a page's links, with the anchors of headings. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)[^)]*\)/g)].map(([, target]) => target!)
}

/** The environment variables that code reads, or that the first column of a table names. */
function settingsIn(text: string): string[] {
  return [...text.matchAll(/variables(?:\.|,\s*')([A-Z_]+)|^\| `([A-Z_]+)` \|/gm)].map(
    ([, read, documented]) => (read ?? documented)!,
  )
}

function linesWith(tree: Tree, files: RegExp, pattern: RegExp): string[] {
  return [...tree]
    .filter(([file]) => files.test(file))
    .flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
    )
}
