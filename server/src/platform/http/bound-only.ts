import { isBoundOnly } from '@vitrine/contract'
import type { TSchema } from 'typebox'
import { assert } from '../../kernel/assert.ts'

type Project = (value: unknown) => unknown
const unchanged: Project = (value) => value

/**
 * Compiles a schema into a function that removes from a response the members that only bound credentials receive. A stolen
 * unbound key reveals no address and no link that acts for a shopper.
 */
export function withoutBoundOnly(schema: TSchema): Project {
  const node = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly patternProperties?: Readonly<Record<string, TSchema>>
    readonly required?: readonly string[]
    readonly items?: TSchema
    readonly anyOf?: readonly TSchema[]
  }
  if (node.properties) return projectMembers(node.properties, node.required ?? [])
  if (node.items) {
    const project = withoutBoundOnly(node.items)
    return project === unchanged ? unchanged : (value) => (value as unknown[]).map(project)
  }
  for (const part of [...Object.values(node.patternProperties ?? {}), ...(node.anyOf ?? [])]) {
    assert(!isBoundOnly(part), 'only members of objects are left out')
  }
  const parts = (node.anyOf ?? []).map(withoutBoundOnly).filter((project) => project !== unchanged)
  if (parts.length === 0) return unchanged
  return (value) => (value === null ? null : parts.reduce<unknown>((left, project) => project(left), value))
}

function projectMembers(properties: Readonly<Record<string, TSchema>>, required: readonly string[]): Project {
  const projects = new Map<string, Project | null>()
  for (const [name, property] of Object.entries(properties)) {
    const isLeftOut = isBoundOnly(property)
    assert(!isLeftOut || !required.includes(name), `${name} is required, and would be left out`)
    const project = isLeftOut ? null : withoutBoundOnly(property)
    if (project !== unchanged) projects.set(name, project)
  }
  if (projects.size === 0) return unchanged
  return (value) => {
    const shown: Record<string, unknown> = { ...(value as object) }
    for (const [name, project] of projects) {
      if (project === null) delete shown[name]
      else if (name in shown) shown[name] = project(shown[name])
    }
    return shown
  }
}
