import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ICruiseOptions, ICruiseResult, IResolveOptions } from 'dependency-cruiser'

const repository = join(import.meta.dirname, '..')

/** The folders whose imports are checked. */
const WORKSPACES = [
  'contract',
  'server',
  'sdk',
  'cli',
  'console/src',
  'shop/src',
  'site/src',
  'bench',
  'test',
  'scripts',
]

/**
 * dependency-cruiser imports `typescript` and needs the API of version 5. Types are checked by version 7,
 * which has none, so the `test` workspace installs version 5, which only dependency-cruiser gets.
 */
const { resolve: resolveParser } = createRequire(join(repository, 'test/package.json'))
registerHooks({
  resolve: (specifier, context, next) =>
    /^typescript(\/|$)/.test(specifier) && context.parentURL?.includes('/dependency-cruiser/')
      ? { url: pathToFileURL(resolveParser(specifier)).href, shortCircuit: true }
      : next(specifier, context),
})

interface Rule {
  readonly name: string
  readonly comment: string
}

/** The rules, each with its reason. */
export const { forbidden: importRules, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly Rule[]
  readonly options: ICruiseOptions & { readonly enhancedResolveOptions: Partial<IResolveOptions> }
}

/** An import that a rule forbids. */
export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
}

/**
 * Checks all imports below a directory against `.dependency-cruiser.cjs`.
 *
 * @param directory a tree laid out as this repository is
 * @param workspaces its folders to check
 */
export async function importViolations(
  directory: string,
  workspaces: readonly string[] = WORKSPACES,
): Promise<{ readonly modules: number; readonly violations: readonly Violation[] }> {
  const { allExtensions, cruise } = await import('dependency-cruiser')
  if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available)) {
    throw new Error('dependency-cruiser found no TypeScript parser: run npm ci')
  }
  const { enhancedResolveOptions, ...cruiseOptions } = options
  const ruleSet = { forbidden: importRules } as unknown as NonNullable<ICruiseOptions['ruleSet']>
  const { output } = await cruise(
    [...workspaces],
    { ...cruiseOptions, baseDir: directory, validate: true, ruleSet },
    enhancedResolveOptions,
  )
  const { modules, summary } = output as ICruiseResult
  if (modules.length < workspaces.length) throw new Error(`dependency-cruiser found ${modules.length} files to check`)
  return {
    modules: modules.length,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }
}
